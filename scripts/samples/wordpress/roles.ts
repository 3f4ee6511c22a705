export const ROLES = ["administrator", "editor", "author", "contributor", "subscriber"] as const;

export type Role = (typeof ROLES)[number];

export type SiteUsers = Record<Role, { username: string; applicationPassword: string }>;
