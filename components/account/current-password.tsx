import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

/** The proof that goes with a change of the account. */
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
