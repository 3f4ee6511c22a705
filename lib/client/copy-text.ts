import { toast } from "@/lib/client/toast";

/** Copies a text to the clipboard and says so with `done`, or says why not. */
export async function copyText(text: string, { done, subject }: { done: string; subject: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: done, subject });
  } catch {
    const description = "Your browser does not allow it. Select the text and copy it.";
    toast({ title: "Nothing was copied", description, variant: "destructive", subject });
  }
}
