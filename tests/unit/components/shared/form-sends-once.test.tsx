/** @jest-environment jsdom */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { SiteForm } from "@/components/account/settings/sites/site-form";
import { AddContentDialog } from "@/components/content/add-content-dialog";
import { IdeasDialog } from "@/components/generation/ideas-dialog";
import { EditProjectForm } from "@/components/projects/edit-project-form";
import { NewProjectForm } from "@/components/projects/new-project-form";
import { PersonaDialog } from "@/components/projects/persona-dialog";
import { StyleDialog } from "@/components/projects/style-dialog";
import { CreateTopicForm, EditTopicForm } from "@/components/topics/topic-form";
import { createProjectAction } from "@/lib/features/projects/actions";
import { aTopic } from "@/tests/support/pieces";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { SHOP } from "@/tests/support/sites";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }) }));
jest.mock("@/lib/features/sites/actions", () => ({ saveSettingsAction: jest.fn() }));
jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));

const NO_STYLE = { tone: null, language: null, words: null, instructions: null };
const PROJECT = {
  id: 3,
  userId: "maren",
  siteId: null,
  title: "Garden",
  description: null,
  createdAt: "2026-11-03",
  writing: NO_STYLE,
};
/** A dialog that does not go away: as while it fades. */
const held = { open: true, onOpenChange: () => undefined };

type Case = { dialog: ReactElement; fields?: string[]; call: string; submit: string };

/** Every form of a dialog that closes when it has succeeded, by its file. */
const DIALOGS: Record<string, Case[]> = {
  "account/settings/sites/site-form.tsx": [
    {
      dialog: <SiteForm site={null} {...held} />,
      fields: ["Address", "WordPress username", "Application password"],
      call: "POST /api/sites",
      submit: "Add Site",
    },
    {
      dialog: <SiteForm site={SHOP} {...held} />,
      fields: ["Name"],
      call: `PATCH /api/sites/${SHOP.id}`,
      submit: "Save Site",
    },
  ],
  "content/add-content-dialog.tsx": [
    {
      dialog: <AddContentDialog topic={aTopic()} {...held} />,
      fields: ["Title"],
      call: "POST /api/projects/3/topics/7/content",
      submit: "Add Content",
    },
  ],
  "generation/ideas-dialog.tsx": [
    {
      dialog: <IdeasDialog projectId={3} topics={[aTopic()]} topicId={7} {...held} />,
      call: "POST /api/projects/3/generate-content-ideas",
      submit: "Create Content Ideas",
    },
  ],
  "projects/edit-project-form.tsx": [
    { dialog: <EditProjectForm projectId={3} {...held} />, call: "PATCH /api/projects/3", submit: "Save Project" },
  ],
  "projects/new-project-form.tsx": [
    { dialog: <NewProjectForm {...held} />, fields: ["Title"], call: "action", submit: "Create Project" },
  ],
  "projects/persona-dialog.tsx": [
    {
      dialog: <PersonaDialog projectId={3} persona={null} {...held} />,
      fields: ["Name", "Description"],
      call: "POST /api/projects/3/buyer-persona",
      submit: "Create Persona",
    },
  ],
  "projects/style-dialog.tsx": [
    {
      dialog: <StyleDialog project={PROJECT} {...held} />,
      call: "PATCH /api/projects/3",
      submit: "Save Writing Style",
    },
  ],
  "topics/topic-form.tsx": [
    {
      dialog: <CreateTopicForm projectId={3} onCreated={() => undefined} {...held} />,
      fields: ["Name", "Description"],
      call: "POST /api/projects/3/topics",
      submit: "Create Topic",
    },
    { dialog: <EditTopicForm topic={aTopic()} {...held} />, call: "PATCH /api/topics/7", submit: "Save Topic" },
  ],
};

/** The other forms: what makes a second call of theirs harmless, or impossible. */
const OTHERS: Record<string, string> = {
  "account/google/google-button.tsx": "leaves the page",
  "account/google/google-proof-form.tsx": "does the same again",
  "account/own-data/delete-account-dialog.tsx": "its dialog is pending until the page is left",
  "account/reset/forgot-password-form.tsx": "is pending until its dialog closes",
  "account/reset/forgot-password-page.tsx": "works without scripts, where nothing can count presses",
  "account/reset/reset-password-form.tsx": "is replaced by the answer",
  "account/settings/password-settings.tsx": "empties its fields",
  "account/settings/settings-form.tsx": "saves the same again",
  "account/settings/sign-in-details.tsx": "has nothing to send once it is saved",
  "account/sign-in/credentials-form.tsx": "is pending until the page is left",
  "assistant/composer.tsx": "empties its field: conversation.test.tsx",
  "content/assist/assist-form.tsx": "is replaced by the answer",
  "content/link-dialog.tsx": "makes no call",
  "content/picture-dialog.tsx": "makes no call",
  "content/word-goal.tsx": "makes no call",
  "topics/add-keyword.tsx": "empties its field, and sends each keyword once: keyword-calls.test.tsx",
};

it("knows every form of the source", () => {
  const files = readdirSync("components", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .filter((file) => readFileSync(path.join("components", file), "utf8").includes("<form"));
  expect(files.sort()).toEqual([...Object.keys(DIALOGS), ...Object.keys(OTHERS)].sort());
});

describe.each(Object.values(DIALOGS).flat())("$submit", ({ dialog, fields = [], call, submit }) => {
  /** Fills the form in; `sent` counts its calls, which `answer` answers. */
  async function open(answer: () => { status?: number; json: object }) {
    let sent = 0;
    const counted = () => {
      sent += 1;
      return answer();
    };
    jest.mocked(createProjectAction).mockImplementation(async () => {
      const { status = 200, json } = counted();
      return (status < 400 ? { ok: true, data: json } : { ok: false, error: { ...json, status } }) as never;
    });
    mockApi({
      [call]: counted,
      "GET /api/topics/7": () => ({ json: aTopic() }),
      "GET /api/projects/3": () => ({ json: PROJECT }),
    });
    const { user } = renderScreen(dialog);
    const button = await screen.findByRole("button", { name: submit });
    for (const field of fields) fireEvent.input(screen.getByLabelText(field), { target: { value: "Slugs" } });
    return { user, form: button.closest("form") as HTMLFormElement, button, sent: () => sent };
  }

  const answered = (button: HTMLElement) => waitFor(() => expect(button).not.toHaveAttribute("aria-busy"));

  it("sends once: before it is pending, and after it has succeeded", async () => {
    const { user, form, button, sent } = await open(() => ({ status: 201, json: { ...aTopic(), message: "Done." } }));
    fireEvent.submit(form);
    fireEvent.submit(form);
    await waitFor(() => expect(sent()).toBe(1));
    await answered(button);
    await user.click(button);
    fireEvent.submit(form);
    await answered(button);
    expect(sent()).toBe(1);
  });

  it("can be sent again after a failure", async () => {
    const { form, button, sent } = await open(() => ({ status: 500, json: failure("Broken.", "INTERNAL") }));
    fireEvent.submit(form);
    expect(await screen.findByText("Broken.")).toBeVisible();
    await answered(button);
    fireEvent.submit(form);
    await waitFor(() => expect(sent()).toBe(2));
  });
});
