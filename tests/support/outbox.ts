import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import PostalMime from "postal-mime";

const OUTBOX = ".data/outbox";

/** The text of the newest mail to this address; without a mail server, mails are written to the outbox. */
export async function mailTo(address: string, subject: string): Promise<string> {
  let text = "";
  await expect(async () => {
    const files = readdirSync(OUTBOX).map((name) => path.join(OUTBOX, name));
    const newest = files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs).slice(0, 20);
    const mails = await Promise.all(newest.map((file) => PostalMime.parse(readFileSync(file))));
    const mail = mails.find(
      ({ to, subject: about }) => to?.some((one) => one.address === address) && about === subject,
    );
    expect(mail).toBeDefined();
    text = mail?.text ?? "";
  }).toPass();
  return text;
}
