import "server-only";
import { log } from "@/lib/log";

type Write = (fields: object, message: string) => void;

/** The Inngest SDK's lines in our log. Its news is our detail: only warnings and errors stand out. */
export const engineLog = {
  info: lines((fields, message) => log.debug(fields, message)),
  warn: lines((fields, message) => log.warn(fields, message)),
  error: lines((fields, message) => log.error(fields, message)),
  debug: () => undefined,
};

/** The SDK calls as pino is called: fields and a message, or a message alone. */
function lines(write: Write): (...args: unknown[]) => void {
  return (first, ...rest) => {
    const [fields, words] = typeof first === "object" && first !== null ? [first, rest] : [{}, [first, ...rest]];
    write(fields, ["inngest:", ...words.map(String)].join(" "));
  };
}
