"use client";

import { type FormEvent, useState, useSyncExternalStore } from "react";
import { ProgressBar } from "@/components/shared/progress-bar";
import { Input } from "@/components/ui/input";
import { readSetting, saveSetting, watchSettings } from "@/lib/client/browser-settings";
import { isComposing } from "@/lib/client/composing";

const GOAL_MAX = 100_000;
const nameOf = (pieceId: string) => `word-goal:${pieceId}`;

function readGoal(pieceId: string): number | null {
  const goal = Number(readSetting(nameOf(pieceId)));
  return Number.isInteger(goal) && goal > 0 && goal <= GOAL_MAX ? goal : null;
}

/** The number of words, beside the goal that the user has set for this piece in this browser. */
export function WordGoal({ pieceId, words }: { pieceId: string; words: number }) {
  const goal = useSyncExternalStore(
    watchSettings,
    () => readGoal(pieceId),
    () => null,
  );
  const [isEditing, setEditing] = useState(false);
  const count = `${words.toLocaleString("en-US")} word${words === 1 ? "" : "s"}`;

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("goal")).replaceAll(/[\s,.]/g, "");
    const number = Number(typed);
    if (typed !== "" && !(Number.isInteger(number) && number > 0 && number <= GOAL_MAX)) return;
    saveSetting(nameOf(pieceId), typed === "" ? null : String(number));
    setEditing(false);
  }

  if (isEditing) {
    return (
      <>
        <span>{count}</span>
        <form
          onSubmit={save}
          onBlur={(event) => event.currentTarget.requestSubmit()}
          className="flex items-center gap-2"
        >
          <Input
            name="goal"
            aria-label="Goal in words"
            inputMode="numeric"
            maxLength={7}
            defaultValue={goal ?? ""}
            // The user has opened it with a button that is gone now.
            ref={(field) => field?.focus()}
            onKeyDown={(event) =>
              event.key === "Escape" && !isComposing(event.nativeEvent) ? setEditing(false) : undefined
            }
            className="h-8 w-24"
          />
        </form>
      </>
    );
  }
  return (
    <>
      <span>{goal ? `${words.toLocaleString("en-US")} of ${goal.toLocaleString("en-US")} words` : count}</span>
      {goal ? (
        <ProgressBar
          className="w-20"
          value={Math.min(100, Math.floor((100 * words) / goal))}
          label="Share of the goal"
        />
      ) : null}
      <button
        type="button"
        onClick={() => setEditing(true)}
        className="cursor-pointer rounded-xs underline decoration-dotted underline-offset-4 hover:text-foreground max-md:min-h-11"
      >
        {goal ? "Change goal" : "Set a goal"}
      </button>
    </>
  );
}
