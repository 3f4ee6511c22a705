import type { Metadata } from "next";
import { NotFoundMessage } from "@/components/shared/not-found-message";

export const metadata: Metadata = { title: "404 Page Not Found" };

/** Renders outside the shell, for paths under /auth that do not exist. */
export default function NotFound() {
  return (
    <main className="page-column py-16">
      <NotFoundMessage />
    </main>
  );
}
