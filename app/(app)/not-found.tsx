import type { Metadata } from "next";
import { NotFoundMessage } from "@/components/shared/not-found-message";

export const metadata: Metadata = { title: "404 Page Not Found" };

export default function NotFound() {
  return <NotFoundMessage />;
}
