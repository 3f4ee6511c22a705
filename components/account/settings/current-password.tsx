import { Field } from "@/components/shared/field";
import { Input } from "@/components/ui/input";

/** Proof of identity for an account change. */
export function CurrentPassword({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string[] | undefined;
}) {
  return (
    <Field label="Current password" error={error} hint="To confirm that it is you.">
      <Input
        type="password"
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
