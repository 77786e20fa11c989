/** Variables whose values are worth hiding wherever a worker repeats them. */
const SECRET_NAME = /key|token|secret|passw|credential|auth/i;
const LEAST_LENGTH = 8;

/** A function that replaces the values of secret-looking variables in a text; shapes of secrets are `redact`'s work. */
export function hideSecretsOf(environment: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = Object.entries(environment).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value.length >= LEAST_LENGTH ? [value] : [],
  );
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text);
}
