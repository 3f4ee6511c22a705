import { ROLES, type Role, type SiteUsers } from "@/scripts/samples/wordpress/roles";

export type User = { id: number; username: string; email: string; role: Role };

const CAPABILITIES: Record<Role, readonly string[]> = {
  subscriber: ["read"],
  contributor: ["read", "edit_posts", "delete_posts"],
  author: [
    "read",
    "edit_posts",
    "delete_posts",
    "upload_files",
    "publish_posts",
    "edit_published_posts",
    "delete_published_posts",
  ],
  editor: everything(),
  administrator: [...everything(), "manage_options"],
};

function everything(): string[] {
  return [
    "read",
    "edit_posts",
    "delete_posts",
    "upload_files",
    "publish_posts",
    "edit_published_posts",
    "delete_published_posts",
    "edit_others_posts",
    "delete_others_posts",
    "read_private_posts",
    "edit_private_posts",
    "manage_categories",
    "unfiltered_html",
  ];
}

export const USERS: readonly User[] = ROLES.map((role, index) => {
  const username = role === "administrator" ? "admin" : role;
  return { id: index + 1, username, email: `${username}@example.test`, role };
});

export function capabilitiesOf(user: User): Record<string, true> {
  return Object.fromEntries([...CAPABILITIES[user.role], user.role].map((name) => [name, true]));
}

export function can(user: User | null, capability: string): boolean {
  return user !== null && CAPABILITIES[user.role].includes(capability);
}

/** Passwords that survive restarts, so that an account stays connected to the sample site. They open nothing else. */
export const PASSWORDS: SiteUsers = Object.fromEntries(
  USERS.map(({ username, role }) => [
    role,
    { username, applicationPassword: inGroups(`sample${role}passwordwordpress`) },
  ]),
) as SiteUsers;

/** Returns 24 characters in six groups, as WordPress shows application passwords. */
function inGroups(text: string): string {
  return (text.slice(0, 24).match(/.{4}/g) ?? []).join(" ");
}

/** The user of an Authorization header. As in WordPress, a wrong one counts as none. */
export function authenticate(header: string | undefined): User | null {
  const encoded = /^Basic (.+)$/i.exec(header ?? "")?.[1];
  if (!encoded) return null;
  const [, name = "", password = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  const user = USERS.find((each) => [each.username, each.email].includes(name.toLowerCase()));
  const expected = user && PASSWORDS[user.role].applicationPassword;
  return user && expected?.replaceAll(" ", "") === password.replaceAll(/\s/g, "") ? user : null;
}
