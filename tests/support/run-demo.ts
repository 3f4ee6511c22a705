import { fillInBackground } from "@/scripts/demo/background";
import { runCommand } from "@/scripts/progress";
import { serve } from "@/scripts/serve";

/** Runs like `npm run demo`, and prints when it is ready or, as asked, when the account is filled: `run-demo.ts <folder> <port> ready|filled [--fresh]`. */
const [folder = "", port = "", when = "ready", fresh = ""] = process.argv.slice(2);

runCommand(() =>
  serve(
    {
      mode: "demo",
      folder,
      freshAccount: fresh === "--fresh",
      environment: { ...process.env, PORT: port, HOST: "" },
      print: console.log,
      output: console.log,
    },
    async ({ url, account, samples }, shutdown) => {
      if (!account) throw new Error("The demo has no account.");
      const filling = fillInBackground({ url, account, folder, print: console.log, shutdown });
      if (when === "filled") await filling;
      console.log(`Stack ready ${JSON.stringify({ url, account, samples })}`);
    },
  ),
);
