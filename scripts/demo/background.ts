import { signIn } from "@/scripts/demo/caller";
import { fillDemo } from "@/scripts/demo/fill";
import { openRecord, recordFile } from "@/scripts/demo/record";
import { type Print, step } from "@/scripts/progress";
import type { Account } from "@/scripts/samples/start";
import type { Shutdown } from "@/scripts/shutdown";

type Demo = { url: string; account: Account; folder: string; print: Print; shutdown: Pick<Shutdown, "begun"> };

/** Fills a new demo account while people use it already. A failure is one line; the next start goes on from there. */
export async function fillInBackground({ url, account, folder, print, shutdown }: Demo): Promise<void> {
  const record = openRecord(recordFile(folder));
  if (!record) return;
  try {
    await step(print, "The demo account's content", async () => {
      const caller = await signIn(url, account);
      try {
        await fillDemo(caller, record);
      } finally {
        await caller.signOut().catch(() => undefined);
      }
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!shutdown.begun)
      print(`The demo account's content is incomplete, and the next start goes on with it: ${reason}`);
  }
}
