import { SettingsGroup } from "@/components/account/settings/settings-group";
import { ProgressBar } from "@/components/shared/progress-bar";
import { formatBytes } from "@/lib/utils/format-bytes";

/** The percentage from which a warning is shown. */
const WARNING_PERCENT = 90;

type Usage = { usedBytes: number; removingBytes: number; maxBytes: number };

/** The storage used, what of it is being removed, and its limit. */
export function Storage({ usedBytes, removingBytes, maxBytes }: Usage) {
  const percent = Math.min(100, (usedBytes / maxBytes) * 100);
  return (
    <SettingsGroup
      title="Storage"
      about="Your projects, keywords, saved instructions and conversations, and your pieces with their earlier texts."
    >
      <div className="grid gap-2">
        <p className="tabular-nums">
          {formatBytes(usedBytes)} of {formatBytes(maxBytes)} stored
        </p>
        <ProgressBar value={percent} label="Storage used" />
        {removingBytes > 0 ? (
          <p className="text-muted-foreground tabular-nums">{formatBytes(removingBytes)} are being removed.</p>
        ) : null}
        {percent >= WARNING_PERCENT ? (
          <p className={percent === 100 ? "text-destructive" : "text-muted-foreground"}>
            {percent === 100 ? "There is no room left, so no new text can be saved." : "Your room is running short."}{" "}
            Delete pieces or projects you no longer need to make room. Export everything first if you want to keep them.
          </p>
        ) : null}
      </div>
    </SettingsGroup>
  );
}
