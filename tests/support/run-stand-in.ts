import { runCommand } from "@/scripts/progress";
import { serve } from "@/scripts/serve";

/** Runs like `npm start`, with a stand-in for the built app: `run-stand-in.ts <folder> <port>`. */
const [folder = "", port = ""] = process.argv.slice(2);
const app = [process.execPath, "--conditions=react-server", "--import", "tsx", "tests/support/stand-in-app.ts"];

runCommand(() =>
  serve(
    {
      mode: "start",
      folder,
      app,
      environment: { ...process.env, PORT: port, HOST: "127.0.0.1" },
      print: console.log,
      output: console.log,
    },
    ({ appPid, databaseUrl }) => console.log(`Stack ready ${JSON.stringify({ appPid, databaseUrl })}`),
  ),
);
