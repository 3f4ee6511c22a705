import type { Metadata } from "next";
import { SettingsForm } from "@/components/account/settings-form";
import { PageHeader } from "@/components/shared/page-header";
import { pageActor } from "@/lib/auth/actor";

export const metadata: Metadata = { title: "Profile Settings" };

/** Keys and credentials. The form is prefilled from the user the shell holds. */
export default async function SettingsPage() {
  await pageActor();
  return (
    <>
      <PageHeader title="Profile Settings" />
      <SettingsForm />
    </>
  );
}
