/** @jest-environment jsdom */
import { existsSync } from "node:fs";
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { Sites } from "@/components/account/settings/sites/sites";
import type { SiteOut } from "@/lib/features/sites/schema";
import { PUBLIC_FILES } from "@/lib/transport/paths";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { aSite, GARDEN_BLOG, SHOP } from "@/tests/support/sites";

jest.mock("@/lib/features/sites/actions", () => ({ saveSettingsAction: jest.fn() }));

type Table = Parameters<typeof mockApi>[0];

/** A server with these sites; a test may change the list. */
async function open(sites: SiteOut[], table: Table = {}) {
  const calls = mockApi({ "GET /api/sites": () => ({ json: sites }), ...table });
  const { user } = renderScreen(<Sites />);
  if (sites.length > 0) await screen.findByRole("list", { name: "Sites" });
  const writes = () =>
    calls.filter(({ method }) => method !== "GET").map(({ method, url, body }) => [method, url, body]);
  return { user, writes };
}

const rowOf = (name: string) => screen.getByText(name, { selector: "bdi" }).closest("li") as HTMLElement;

async function choose(user: UserEvent, name: string, action: string) {
  await user.click(within(rowOf(name)).getByRole("button", { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
}

describe("the list of sites", () => {
  it("is not there while there is no site", async () => {
    await open([]);
    await waitFor(() => expect(screen.queryByRole("heading", { name: "Sites" })).not.toBeInTheDocument());
    expect(screen.queryByRole("button", { name: "Add site" })).not.toBeInTheDocument();
  });

  it("says what is known of each site, and leaves out what is not", async () => {
    const lastContactAt = new Date(Date.now() - 5 * 60_000 - 1).toISOString();
    await open([
      { ...GARDEN_BLOG, version: "6.7", role: "editor", projects: 3, lastContactAt },
      { ...SHOP, projects: 1, url: "https://shop.example.com/journal" },
      aSite({ name: "Gone", url: null, hasPassword: false, username: null }),
    ]);
    expect(rowOf("Garden blog")).toHaveTextContent(
      "Garden blogDefaultblog.example.com (opens in a new tab)WordPress 6.7Role: editor3 projects, and those without postsLast contact 5 minutes ago",
    );
    expect(rowOf("Shop")).toHaveTextContent(
      "Shopshop.example.com/journal (opens in a new tab)1 projectNot reached yet",
    );
    expect(within(rowOf("Shop")).getByRole("link")).toHaveAttribute("href", "https://shop.example.com/journal");
    expect(rowOf("Gone")).toHaveTextContent("GoneNot connectedNo projectsNot reached yet");
    expect(within(rowOf("Gone")).queryByRole("link")).not.toBeInTheDocument();
  });

  it("has the plugin that lets publishing write the fields of SEO plugins, where editors are sent for it", async () => {
    await open([SHOP]);
    const link = screen.getByRole("link", { name: "Download the plugin" });
    expect(link).toHaveAttribute("href", "/wordpress/content-planner-fields.php");
    expect(PUBLIC_FILES).toContain(link.getAttribute("href"));
    expect(existsSync(`public${link.getAttribute("href")}`)).toBe(true);
    expect(link.parentElement).toHaveAttribute("id", "fields-plugin");
  });

  it("says that a site whose password is missing is not connected", async () => {
    await open([{ ...GARDEN_BLOG, hasPassword: false }]);
    expect(within(rowOf("Garden blog")).getByText("Not connected")).toBeVisible();
    expect(rowOf("Garden blog")).toHaveTextContent("Projects without posts");
  });

  it("says that it did not load, and is read again on demand", async () => {
    let isDown = true;
    mockApi({
      "GET /api/sites": () =>
        isDown ? { status: 503, json: failure("Not available right now.", "SERVICE_UNAVAILABLE") } : { json: [SHOP] },
    });
    const { user } = renderScreen(<Sites />);
    expect(await screen.findByText("Failed to fetch sites", { selector: "p" })).toBeVisible();
    isDown = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Shop")).toBeVisible();
  });

  it("takes no more sites than the maximum", async () => {
    const { user } = await open(
      Array.from({ length: 20 }, (_, at) => aSite({ id: `site-${at}`, name: `Site ${at}`, isDefault: at === 0 })),
    );
    expect(within(screen.getByRole("list", { name: "Sites" })).getAllByRole("listitem")).toHaveLength(20);
    const add = screen.getByRole("button", { name: "Add site" });
    expect(add).toHaveAttribute("aria-disabled", "true");
    await user.click(add);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });
});

describe("adding a site", () => {
  async function fill(user: UserEvent) {
    await user.click(screen.getByRole("button", { name: "Add site" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Add Site" }));
    await user.type(dialog.getByLabelText("Address"), "https://shop.example.com");
    await user.type(dialog.getByLabelText("WordPress username"), "editor");
    await user.type(dialog.getByLabelText("Application password"), "abcd efgh");
    return dialog;
  }

  it("shows the new site in the list, whose name is optional", async () => {
    const sites = [GARDEN_BLOG];
    const { user, writes } = await open(sites, {
      "POST /api/sites": () => {
        sites.push(SHOP);
        return { status: 201, json: SHOP };
      },
    });
    const dialog = await fill(user);
    await user.click(dialog.getByRole("button", { name: "Add Site" }));
    expect(await screen.findByText("Shop is connected.")).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(rowOf("Shop")).toBeVisible();
    expect(writes()).toEqual([
      ["POST", "/api/sites", { name: "", url: "https://shop.example.com", username: "editor", password: "abcd efgh" }],
    ]);
  });

  it("says in the dialog why a site was refused, and keeps what was typed", async () => {
    const { user } = await open([GARDEN_BLOG], {
      "POST /api/sites": () => ({
        status: 502,
        json: { ...failure("Could not connect to WordPress site.", "CONNECTION_ERROR"), detail: "It did not answer." },
      }),
    });
    const dialog = await fill(user);
    await user.click(dialog.getByRole("button", { name: "Add Site" }));
    const notice = await dialog.findByRole("alert");
    expect(notice).toHaveTextContent("The site was not addedCould not connect to WordPress site.It did not answer.");
    expect(dialog.getByLabelText("Address")).toHaveValue("https://shop.example.com");
  });

  it("marks the address of a site that is there already", async () => {
    const sentence = "This is Garden blog, which is among your sites already. Change it there instead.";
    const { user } = await open([GARDEN_BLOG], {
      "POST /api/sites": () => ({ status: 409, json: failure(sentence, "DUPLICATE", { url: [sentence] }) }),
    });
    const dialog = await fill(user);
    await user.click(dialog.getByRole("button", { name: "Add Site" }));
    await waitFor(() => expect(dialog.getByLabelText("Address")).toBeInvalid());
    expect(dialog.getByText(sentence)).toBeVisible();
    expect(dialog.queryByText("The site was not added")).not.toBeInTheDocument();
  });

  it("asks for what is missing before anything is sent", async () => {
    const { user, writes } = await open([GARDEN_BLOG]);
    await user.click(screen.getByRole("button", { name: "Add site" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Add Site" }));
    await user.click(dialog.getByRole("button", { name: "Add Site" }));
    for (const label of ["Address", "WordPress username", "Application password"]) {
      expect(dialog.getByLabelText(label)).toBeInvalid();
    }
    expect(dialog.getByLabelText("Name")).toBeValid();
    expect(writes()).toEqual([]);
  });
});

describe("editing a site", () => {
  const PATCH = `PATCH /api/sites/${SHOP.id}`;

  async function edit(table: Table = {}) {
    const opened = await open([GARDEN_BLOG, SHOP], table);
    await choose(opened.user, "Shop", "Edit");
    return { ...opened, dialog: within(await screen.findByRole("dialog", { name: "Edit Site" })) };
  }

  it("sends what was changed, and leaves the stored password", async () => {
    const { user, writes, dialog } = await edit({ [PATCH]: () => ({ json: { ...SHOP, name: "Seed shop" } }) });
    const name = dialog.getByLabelText("Name");
    expect(name).toHaveValue("Shop");
    await user.clear(name);
    await user.type(name, "Seed shop");
    await user.click(dialog.getByRole("button", { name: "Save Site" }));
    expect(await screen.findByText("Seed shop is up to date.")).toBeVisible();
    expect(writes()).toEqual([["PATCH", `/api/sites/${SHOP.id}`, { name: "Seed shop" }]]);
  });

  it("replaces the password alone", async () => {
    const { user, writes, dialog } = await edit({ [PATCH]: () => ({ json: SHOP }) });
    await user.type(dialog.getByLabelText("Application password"), "new one");
    await user.click(dialog.getByRole("button", { name: "Save Site" }));
    await waitFor(() => expect(writes()).toEqual([["PATCH", `/api/sites/${SHOP.id}`, { password: "new one" }]]));
  });

  it("asks for the password of a new address", async () => {
    const sentence = "Enter the password of the new site: the stored one belongs to the old address.";
    const { user, dialog } = await edit({
      [PATCH]: () => ({ status: 400, json: failure(sentence, "VALIDATION_ERROR", { password: [sentence] }) }),
    });
    await user.type(dialog.getByLabelText("Address"), "/journal");
    await user.click(dialog.getByRole("button", { name: "Save Site" }));
    await waitFor(() => expect(dialog.getByLabelText("Application password")).toBeInvalid());
    expect(dialog.getByText(sentence)).toBeVisible();
  });

  it("makes no call without a change", async () => {
    const { user, writes, dialog } = await edit();
    await user.click(dialog.getByRole("button", { name: "Save Site" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(writes()).toEqual([]);
  });
});

describe("connecting a site by WordPress' own page", () => {
  const CONNECT = "POST /api/wordpress/connect";
  const noPage = () => ({
    json: { authorizeUrl: null, reason: "no-endpoint", passwordsPage: "https://shop.example.com" },
  });
  const press = (user: UserEvent) => user.click(screen.getByRole("button", { name: "Connect with WordPress" }));

  it("asks for a new one with its name", async () => {
    const { user, writes } = await open([GARDEN_BLOG], { [CONNECT]: noPage });
    await user.click(screen.getByRole("button", { name: "Add site" }));
    await user.type(await screen.findByLabelText("Name"), "Shop");
    await user.type(screen.getByLabelText("Address"), "shop.example.com");
    await press(user);
    await waitFor(() =>
      expect(writes()).toEqual([
        ["POST", "/api/wordpress/connect", { url: "shop.example.com", target: "new", name: "Shop" }],
      ]),
    );
  });

  it("asks for one of the list, unless leaving the page would lose a change", async () => {
    const { user, writes } = await open([GARDEN_BLOG, SHOP], { [CONNECT]: noPage });
    await choose(user, "Shop", "Edit");
    const [name, password] = [await screen.findByLabelText("Name"), screen.getByLabelText("Application password")];
    expect(password).not.toBeRequired();
    for (const field of [name, password]) {
      await user.type(field, "!");
      await press(user);
      await user.type(field, "{Backspace}");
    }
    expect(writes()).toEqual([]);
    await press(user);
    await waitFor(() =>
      expect(writes()).toEqual([["POST", "/api/wordpress/connect", { url: SHOP.url, target: SHOP.id }]]),
    );
  });
});

const CONNECTION = {
  ok: true,
  site: "https://shop.example.com",
  report: {
    name: "The shop",
    url: "https://shop.example.com",
    version: "6.7",
    role: "editor",
    mayNot: [],
    plugins: [],
  },
  warnings: [],
};

describe("a site's other actions", () => {
  it("test its connection, and show the result in its row", async () => {
    const connection = { ...CONNECTION, roles: ["editor"], question: null };
    const { user } = await open([GARDEN_BLOG, SHOP], {
      [`POST /api/sites/${SHOP.id}/test`]: () => ({ json: connection }),
    });
    await choose(user, "Shop", "Test connection");
    expect(await within(rowOf("Shop")).findByText("Connected to The shop as editor")).toBeVisible();
  });

  it("ask which site a test has reached", async () => {
    const question = "Is new.example the same site as shop.example.com at a new address, or another site?";
    const connection = { ...CONNECTION, roles: [], question };
    const answers: unknown[] = [];
    const { user } = await open([GARDEN_BLOG, SHOP], {
      [`POST /api/sites/${SHOP.id}/test`]: (body) => {
        answers.push(body);
        return { json: { ...connection, question: answers.length > 1 ? null : question } };
      },
    });
    await choose(user, "Shop", "Test connection");
    await user.click(await within(rowOf("Shop")).findByRole("button", { name: "The same site" }));
    await waitFor(() => expect(within(rowOf("Shop")).queryByText(/^Is new.example/)).not.toBeInTheDocument());
    expect(answers).toEqual([undefined, { site: "same" }]);
  });

  it("make it the default one, which the default site itself does not offer", async () => {
    const sites = [GARDEN_BLOG, SHOP];
    const { user, writes } = await open(sites, {
      [`PATCH /api/sites/${SHOP.id}`]: () => {
        sites.splice(0, 2, { ...SHOP, isDefault: true }, { ...GARDEN_BLOG, isDefault: false });
        return { json: sites[0] };
      },
    });
    await choose(user, "Shop", "Make default");
    expect(await screen.findByText("Shop is your default site now.")).toBeVisible();
    expect(writes()).toEqual([["PATCH", `/api/sites/${SHOP.id}`, { isDefault: true }]]);
    await waitFor(() => expect(within(rowOf("Shop")).getByText("Default")).toBeVisible());
    await user.click(within(rowOf("Shop")).getByRole("button", { name: "Actions for Shop" }));
    await screen.findByRole("menuitem", { name: "Edit" });
    expect(screen.queryByRole("menuitem", { name: "Make default" })).not.toBeInTheDocument();
  });

  it("need a connection, as their notes say", async () => {
    const { user, writes } = await open([GARDEN_BLOG, { ...SHOP, url: null, hasPassword: false }]);
    await user.click(within(rowOf("Shop")).getByRole("button", { name: "Actions for Shop" }));
    for (const label of ["Test connection", "Make default"]) {
      const item = await screen.findByRole("menuitem", { name: new RegExp(`^${label}`) });
      expect(item).toHaveTextContent("Enter address, username and password first");
      await user.click(item);
    }
    expect(writes()).toEqual([]);
  });

  it("remove it, once the user has confirmed that", async () => {
    const sites = [GARDEN_BLOG, SHOP];
    const { user, writes } = await open(sites, {
      [`DELETE /api/sites/${SHOP.id}`]: () => {
        sites.pop();
        return { status: 204 };
      },
    });
    await choose(user, "Shop", "Remove");
    const question = within(await screen.findByRole("alertdialog", { name: "Remove this site?" }));
    expect(writes()).toEqual([]);
    await user.click(question.getByRole("button", { name: "Remove" }));
    expect(await screen.findByText("Nothing was deleted on Shop.")).toBeVisible();
    expect(screen.queryByText("Shop", { selector: "bdi" })).not.toBeInTheDocument();
  });

  it("say in the server's words why it cannot be removed", async () => {
    const sentence = "3 projects are on this site. Move them to another site first.";
    const { user } = await open([GARDEN_BLOG, SHOP], {
      [`DELETE /api/sites/${SHOP.id}`]: () => ({ status: 400, json: failure(sentence, "VALIDATION_ERROR") }),
    });
    await choose(user, "Shop", "Remove");
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Remove" }));
    expect(await screen.findByText(sentence)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(rowOf("Shop")).toBeVisible();
  });
});
