import "server-only";
import { AppError, isAppError } from "@/lib/errors";
import { hasCode, PASSWORDS_OFF } from "@/lib/wordpress/failures";
import { type Requester, unexpectedAnswer, type WordPressLogin } from "@/lib/wordpress/request";
import { account, siteIndex } from "@/lib/wordpress/schema";

export type ConnectionCheck = {
  userId: number;
  roles: string[];
  canPublish: boolean;
  canManageCategories: boolean;
  /** What the role may not do of what we may ask for, in plain words. */
  mayNot: string[];
  /** What this account cannot do, in sentences. */
  warnings: string[];
};

/** Is the login accepted, and what may the account do? */
export function connectionCheck(request: Requester, login: WordPressLogin) {
  return async function checkConnection(): Promise<ConnectionCheck> {
    const query = { context: "edit", _fields: "id,roles,capabilities" };
    const reply = await request({ path: "wp/v2/users/me", query }).catch((error) =>
      explainRefusedLogin(error, request),
    );
    const user = reply.read(account);
    if (!user.success) throw unexpectedAnswer(false);
    const { id, roles, capabilities } = user.data;
    const canPublish = capabilities.publish_posts === true;
    const canManageCategories = capabilities.manage_categories === true;
    const isEncrypted = login.apiRoot.startsWith("https:");
    const warnings = [
      ...(canPublish ? [] : [CANNOT_PUBLISH]),
      ...(canManageCategories || !canPublish ? [] : [CANNOT_MANAGE_CATEGORIES]),
      ...(isEncrypted ? [] : [NOT_ENCRYPTED]),
    ];
    const mayNot = DEEDS.filter(([name]) => capabilities[name] !== true).map(([, words]) => words);
    return { userId: id, roles, canPublish, canManageCategories, mayNot, warnings };
  };
}

const DEEDS = [
  ["publish_posts", "publish posts"],
  ["manage_categories", "create categories"],
  ["edit_others_posts", "edit others' posts"],
  ["upload_files", "upload files"],
] as const;

const CANNOT_PUBLISH =
  "This WordPress account may not publish posts. Use an account with the Author, Editor or Administrator role.";
const CANNOT_MANAGE_CATEGORIES =
  "This WordPress account may not create categories: publishing works only into categories that the site has already.";
const NOT_ENCRYPTED = "The site is not served over https: the application password travels unencrypted.";

/** The site's index says whether application passwords are enabled. */
async function explainRefusedLogin(error: unknown, request: Requester): Promise<never> {
  if (!hasCode(error, "rest_not_logged_in")) throw error;
  const index = await request({ path: "", anonymous: true }).catch((failure: unknown) => {
    if (isAppError(failure)) return null;
    throw failure;
  });
  const isOff = index?.read(siteIndex).data?.authentication === "off";
  throw isOff ? new AppError("WORDPRESS_REJECTED", { message: PASSWORDS_OFF, cause: error }) : error;
}
