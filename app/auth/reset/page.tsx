import type { Metadata } from "next";
import { ResetPasswordForm } from "@/components/account/reset-password-form";
import { canMailResets } from "@/lib/features/account/reads";

export const metadata: Metadata = { title: "Choose a new password" };

/** Where a mailed link leads. Its token stands in the fragment, which only the browser sees. */
export default function ResetPage() {
  return <ResetPasswordForm canReset={canMailResets()} />;
}
