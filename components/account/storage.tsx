import { SettingsGroup } from "@/components/account/settings-group";
import { Progress } from "@/components/ui/progress";
import { sizeText } from "@/lib/utils/sizes";

/** From this share on we say that room runs short, in percent. */
const SHORT = 90;

/** How much the person stores of what they may. */
export function Storage({ usedBytes, maxBytes }: { usedBytes: number; maxBytes: number }) {
  const percent = Math.min(100, (usedBytes / maxBytes) * 100);
  return (
    <SettingsGroup
      title="Storage"
      about="Your projects, keywords and conversations, and your pieces with their earlier texts."
    >
      <div className="grid gap-2">
        <p className="tabular-nums">
          {sizeText(usedBytes)} of {sizeText(maxBytes)} stored
        </p>
        <Progress value={percent} label="Storage used" />
        {percent >= SHORT ? (
          <p className={percent === 100 ? "text-destructive" : "text-muted-foreground"}>
            {percent === 100 ? "There is no room left, so no new text can be saved." : "Your room is running short."}{" "}
            Delete pieces or projects you no longer need to make room. Export everything first if you want to keep them.
          </p>
        ) : null}
      </div>
    </SettingsGroup>
  );
}
