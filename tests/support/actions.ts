import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ActionResult } from "@/lib/transport/action";
import { wrapFormAction, wrapRedirectingForm } from "@/tests/support/action-request";
import { PASSWORD } from "@/tests/support/factories";
import { storeReset, type World } from "@/tests/support/world";

export type Action = (input: unknown) => Promise<ActionResult<unknown>>;

/** A valid call of each server action, and whether it works without a session. */
type ActionCall = {
  open?: true;
  /** Called by a form: "posted" returns a state, "leads" always redirects. */
  form?: "posted" | "leads";
  input: (user: World) => unknown;
  before?: (user: World) => Promise<void>;
};
export const validActionCalls: Record<string, ActionCall> = {
  signInAction: { open: true, input: ({ username }) => ({ username, password: PASSWORD }) },
  registerAction: { open: true, input: () => ({ username: freeName(), password: PASSWORD }) },
  signInForm: { open: true, form: "posted", input: ({ username }) => ({ username, password: PASSWORD }) },
  registerForm: { open: true, form: "posted", input: () => ({ username: freeName(), email: "", password: PASSWORD }) },
  requestResetForm: { open: true, form: "posted", input: () => ({ email: `${freeName()}-${Date.now()}@example.com` }) },
  requestResetAction: { open: true, input: () => ({ email: `${freeName()}-${Date.now()}@example.com` }) },
  confirmResetAction: {
    open: true,
    before: storeReset,
    input: ({ resetToken }) => ({ token: resetToken, password: "a wholly other long phrase" }),
  },
  signOutAction: { open: true, input: () => undefined },
  saveSettingsAction: { input: () => ({ wordpressUsername: "editor" }) },
  continueWithGoogleAction: { open: true, form: "leads", input: () => ({ next: "/content" }) },
  reauthenticateAction: { open: true, form: "leads", input: () => ({}) },
  linkGoogleAction: { input: () => ({ currentPassword: PASSWORD }) },
  unlinkGoogleAction: { input: () => ({ currentPassword: PASSWORD }) },
  createProjectAction: { input: () => ({ title: "Balcony" }) },
};

let names = 0;
const freeName = () => `action${process.pid}${++names}`;

export async function listActions(): Promise<[string, Action][]> {
  const files = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.resolve(folder, file)),
  );
  const ours = files.filter(
    (file) => /\.tsx?$/.test(file) && /^\s*["']use server["']/m.test(readFileSync(file, "utf8")),
  );
  const modules = await Promise.all(ours.map((file) => import(file) as Promise<Record<string, Action>>));
  return modules
    .flatMap((module) => Object.entries(module).filter(([, value]) => typeof value === "function"))
    .map(([name, value]) => [name, calledAs(validActionCalls[name]?.form, value)]);
}

function calledAs(form: ActionCall["form"], action: Action): Action {
  if (form === "leads") return wrapRedirectingForm(action as never) as Action;
  return form === "posted" ? (wrapFormAction(action as never) as Action) : action;
}
