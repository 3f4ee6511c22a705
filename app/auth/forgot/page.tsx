import type { Metadata } from "next";
import { ForgotPasswordPage } from "@/components/account/forgot-password-page";
import { canMailResets } from "@/lib/features/account/reads";

export const metadata: Metadata = { title: "Reset password" };

/** Where "Forgot password?" leads without a script. */
export default function ForgotPage() {
  return <ForgotPasswordPage canReset={canMailResets()} />;
}
