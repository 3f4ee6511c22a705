"use client";

import { useAuth } from "@/components/account/auth-provider";
import { useLogout } from "@/components/account/use-logout";
import { lazyPopup } from "@/components/shared/lazy-popup";
import { Spinner } from "@/components/ui/spinner";

const Menu = lazyPopup("menu", () =>
  import("@/components/account/user-menu-panel").then((module) => module.UserMenuPanel),
);

/** The user's menu at the bottom of the sidebar: theme and Logout. */
export function UserMenu() {
  const { user } = useAuth();
  const { logout, pending, dialog } = useLogout();
  const username = user?.username ?? "";
  return (
    <>
      <Menu
        onLogout={logout}
        isLoggingOut={pending}
        trigger={
          <button
            type="button"
            aria-label={`Account of ${username}`}
            className="flex w-full min-w-0 items-center gap-3 overflow-hidden rounded-sm p-1.5 text-left hover:bg-sidebar-accent max-md:min-h-11"
          >
            <span
              aria-hidden="true"
              className="grid size-7 shrink-0 place-items-center rounded-full bg-selected font-medium text-link text-xs"
            >
              {pending ? <Spinner /> : initialsOf(username)}
            </span>
            <span className="truncate">{username}</span>
          </button>
        }
      />
      {dialog}
    </>
  );
}

/** Returns up to two letters, such as "MH" for maren.holt. */
function initialsOf(username: string): string {
  const parts = username.split(/[._-]+/).filter(Boolean);
  const letters = parts.length > 1 ? `${parts[0]?.[0]}${parts[1]?.[0]}` : username.slice(0, 2);
  return letters.toUpperCase();
}
