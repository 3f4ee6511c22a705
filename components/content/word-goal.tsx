"use client";

import { type FormEvent, useState, useSyncExternalStore } from "react";
import { ProgressBar } from "@/components/shared/progress-bar";
import { Input } from "@/components/ui/input";
import { readWordGoal, saveWordGoal, WORD_GOAL_MAX, watchWordGoals } from "@/lib/client/word-goals";

/** The number of words, beside the goal that the person has set for this piece in this browser. */
export function WordGoal({ pieceId, words }: { pieceId: string; words: number }) {
  const goal = useSyncExternalStore(
    watchWordGoals,
    () => readWordGoal(pieceId),
    () => null,
  );
  const [isEditing, setEditing] = useState(false);
  const count = `${words.toLocaleString("en-US")} word${words === 1 ? "" : "s"}`;

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("goal")).replaceAll(/[\s,.]/g, "");
    const number = Number(typed);
    if (typed !== "" && !(Number.isInteger(number) && number > 0 && number <= WORD_GOAL_MAX)) return;
    saveWordGoal(pieceId, typed === "" ? null : number);
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
            // Opened by the person, from the button that is gone now.
            ref={(field) => field?.focus()}
            onKeyDown={(event) => (event.key === "Escape" ? setEditing(false) : undefined)}
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
