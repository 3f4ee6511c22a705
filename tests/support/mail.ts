import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { eventually } from "@/tests/support/backend";

export type MailServer = {
  /** For SMTP_URL. */
  url: string;
  /** Mails received by this address, oldest first and parsed. */
  mailsTo(address: string): Promise<Email[]>;
  /** Waits until the address has received `count` mails. */
  waitFor(address: string, count?: number): Promise<Email[]>;
  /** Makes the server refuse every mail, or accept them again. */
  refuse(on: boolean): void;
  /** Connections so far, including those of refused mails. */
  connections(): number;
  close(): Promise<void>;
};

/** A real local SMTP server that keeps the mail it receives. */
export async function startMailServer(): Promise<MailServer> {
  const mails: { to: string[]; raw: Buffer }[] = [];
  let isRefusing = false;
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onConnect(_session, done) {
      connections++;
      done();
    },
    onRcptTo(_address, _session, done) {
      done(isRefusing ? Object.assign(new Error("mailbox unavailable"), { responseCode: 550 }) : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;

  async function mailsTo(address: string): Promise<Email[]> {
    const own = mails.filter(({ to }) => to.includes(address));
    return Promise.all(own.map(({ raw }) => PostalMime.parse(raw)));
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    mailsTo,
    waitFor: (address, count = 1) =>
      eventually(
        () => mailsTo(address),
        (found) => found.length >= count,
      ),
    refuse(on) {
      isRefusing = on;
    },
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
