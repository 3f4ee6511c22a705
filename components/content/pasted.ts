import type { Pasted } from "@/components/shared/markdown-editor/paste";
import { toast } from "@/lib/client/toast";
import type { ToastInput } from "@/lib/client/toast-input";

/** The toast after a paste: that it was converted, which the user may not want, and what was lost or will not last. */
export function saidOfPaste({ as, pictures, asText }: Pasted, subject: string): ToastInput {
  const problems = [
    as === "plain" ? TOO_MUCH : "",
    pictures.lost > 0
      ? `${pictures.lost === 1 ? "A picture was" : `${pictures.lost} pictures were`} left out. ${NO_PICTURES}`
      : "",
    pictures.temporary > 0 ? (pictures.temporary === 1 ? ONE_FADES : `${pictures.temporary} pictures${MANY_FADE}`) : "",
  ].filter(Boolean);
  return {
    title: TITLES[as],
    variant: problems.length > 0 && as !== "converted" ? "destructive" : "neutral",
    ...(problems.length > 0 ? { description: problems.join(" ") } : {}),
    ...(asText ? { action: { label: "Paste as plain text", onClick: () => asText() || toast(changed(subject)) } } : {}),
    subject,
  };
}

const TITLES = {
  converted: "Pasted with its formatting",
  plain: "Pasted as plain text",
  nothing: "Nothing was pasted",
};

const TOO_MUCH = "The formatting could not be converted. To keep it, try pasting smaller parts.";
const NO_PICTURES = "Pictures cannot be kept here yet: add them in WordPress, or paste their addresses.";
const ONE_FADES =
  "A picture will not last: its address expires within days. Upload it to your site and use its address there.";
const MANY_FADE =
  " will not last: their addresses expire within days. Upload them to your site and use their addresses there.";

const changed = (subject: string): ToastInput => ({
  title: "Nothing was changed",
  description: "You have changed what was pasted. Paste again with Ctrl+Shift+V, or Cmd+Shift+V on a Mac.",
  variant: "neutral",
  subject,
});
