import "server-only";
import { AppError, isAppError } from "@/lib/errors";
import { hasCode, PASSWORDS_OFF } from "@/lib/wordpress/failures";
import { type createRequester, unexpectedAnswer, type WordPressLogin } from "@/lib/wordpress/request";
import { account, siteIndex } from "@/lib/wordpress/schema";

export type ConnectionCheck = {
  userId: number;
  roles: string[];
  canPublish: boolean;
  canManageCategories: boolean;
  /** What this account cannot do, in sentences. */
  warnings: string[];
};

/** Is the login accepted, and what may the account do? */
export function connectionCheck(request: ReturnType<typeof createRequester>, login: WordPressLogin) {
  return async function checkConnection(): Promise<ConnectionCheck> {
    const query = { context: "edit", _fields: "id,roles,capabilities" };
    const reply = await request({ path: "wp/v2/users/me", query }).catch((error) =>
      explainRefusedLogin(error, request),
    );
    const user = account.safeParse(reply.json);
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
    return { userId: id, roles, canPublish, canManageCategories, warnings };
  };
}

const CANNOT_PUBLISH =
  "This WordPress account may not publish posts. Use an account with the Author, Editor or Administrator role.";
const CANNOT_MANAGE_CATEGORIES =
  "This WordPress account may not create categories: publishing works only into categories that the site has already.";
const NOT_ENCRYPTED = "The site is not served over https: the application password travels unencrypted.";

/** The site's index says whether application passwords are enabled. */
async function explainRefusedLogin(error: unknown, request: ReturnType<typeof createRequester>): Promise<never> {
  if (!hasCode(error, "rest_not_logged_in")) throw error;
  const index = await request({ path: "", anonymous: true }).catch((failure: unknown) => {
    if (isAppError(failure)) return null;
    throw failure;
  });
  const authentication = siteIndex.safeParse(index?.json).data?.authentication;
  const isOff = Array.isArray(authentication) && authentication.length === 0;
  throw isOff ? new AppError("WORDPRESS_REJECTED", { message: PASSWORDS_OFF, cause: error }) : error;
}
