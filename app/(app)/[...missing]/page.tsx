import { notFound } from "next/navigation";

/** Any other path: the not-found page within the shell. */
export default function MissingPage() {
  notFound();
}
