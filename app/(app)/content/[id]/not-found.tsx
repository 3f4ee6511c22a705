import type { Metadata } from "next";

export { ContentNotFound as default } from "@/components/content/content-not-found";

export const metadata: Metadata = { title: "Content not found" };
