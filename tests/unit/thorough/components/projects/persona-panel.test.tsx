/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { PersonaPanel } from "@/components/projects/persona-panel";
import type { PersonaOut } from "@/lib/features/projects/schema";
import { mockApi, renderScreen } from "@/tests/support/render";

jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));

const TESSA: PersonaOut = {
  id: 9,
  projectId: 3,
  name: "Tessa Okafor",
  age: 34,
  description: "Rents a ground-floor flat.",
  interests: ["Food", "Weekend projects"],
  challenges: [],
  createdAt: "2026-11-03T10:00:00.000Z",
};
const PATH = "/api/projects/3/buyer-persona";

it("offers to add a persona when there is none, and shows it once saved", async () => {
  const calls = mockApi({
    [`GET ${PATH}`]: () => ({ json: null }),
    [`POST ${PATH}`]: () => ({ status: 201, json: TESSA }),
  });
  const { user } = renderScreen(<PersonaPanel projectId={3} />);
  await user.click(await screen.findByRole("button", { name: "Add Buyer Persona" }));
  await user.type(screen.getByLabelText("Name"), "Tessa Okafor");
  await user.type(screen.getByLabelText("Age"), "34");
  await user.type(screen.getByLabelText("Description"), "Rents a ground-floor flat.");
  const interests = screen.getByRole("textbox", { name: "Interests" });
  await user.type(interests, " Food {Enter}");
  await user.type(interests, "   {Enter}");
  await user.type(interests, "Weekend projects");
  await user.click(screen.getByRole("button", { name: "Add interest" }));
  await user.click(screen.getByRole("button", { name: "Create Persona" }));
  expect(await screen.findByText("Buyer persona created successfully")).toBeVisible();
  expect(calls.at(-1)?.body).toEqual({
    name: "Tessa Okafor",
    age: 34,
    description: "Rents a ground-floor flat.",
    interests: ["Food", "Weekend projects"],
    challenges: [],
  });
  expect(screen.getByRole("heading", { name: "Tessa Okafor, 34" })).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Challenges" })).not.toBeInTheDocument();
});

it("edits the persona without losing a trait that was typed but not added", async () => {
  const calls = mockApi({
    [`GET ${PATH}`]: () => ({ json: TESSA }),
    "PATCH /api/buyer-personas/9": (body) => ({ json: { ...TESSA, ...(body as object) } }),
  });
  const { user } = renderScreen(<PersonaPanel projectId={3} />);
  await user.click(await screen.findByRole("button", { name: "Edit buyer persona" }));
  await user.clear(screen.getByLabelText("Age"));
  await user.click(screen.getByRole("button", { name: "Remove Food" }));
  await user.type(screen.getByRole("textbox", { name: "Challenges" }), "Two hours a week");
  await user.click(screen.getByRole("button", { name: "Save Persona" }));
  expect(await screen.findByText("Buyer persona updated successfully")).toBeVisible();
  expect(calls.at(-1)?.body).toMatchObject({
    age: null,
    interests: ["Weekend projects"],
    challenges: ["Two hours a week"],
  });
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(screen.getByRole("heading", { name: "Tessa Okafor" })).toBeVisible();
});

it("shows an error at each field before anything is sent", async () => {
  const calls = mockApi({ [`GET ${PATH}`]: () => ({ json: null }) });
  const { user } = renderScreen(<PersonaPanel projectId={3} />);
  await user.click(await screen.findByRole("button", { name: "Add Buyer Persona" }));
  await user.type(screen.getByLabelText("Age"), "abc");
  const dialog = within(screen.getByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Create Persona" }));
  for (const label of ["Name", "Description"]) expect(dialog.getByLabelText(label)).toBeInvalid();
  expect(dialog.getByLabelText("Age")).toHaveAccessibleDescription(/^Use a whole number\./);
  expect(calls).toHaveLength(1);
});
