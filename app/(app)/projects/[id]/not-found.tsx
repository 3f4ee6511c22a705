import type { Metadata } from "next";
import Link from "next/link";

export const metadata: Metadata = { title: "Project not found" };

export default function ProjectNotFound() {
  return (
    <p className="text-muted-foreground">
      This project does not exist or has been deleted.{" "}
      <Link href="/" className="rounded-xs text-link underline underline-offset-3">
        Back to Projects
      </Link>
    </p>
  );
}
