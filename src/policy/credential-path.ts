/**
 * Names under which credentials are kept. Judged by name only, letter case folded, since a disk may fold it.
 *
 * "Strong" names hold credentials wherever they stand. "Weak" ones (a certificate, `credentials.json`) are as often a
 * fixture, so they are left alone under a folder of tests, fixtures or documentation.
 */
const STRONG_NAMES: ReadonlySet<string> = new Set([
  '.env',
  '.envrc',
  '.npmrc',
  '.pypirc',
  '.netrc',
  '_netrc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.dockercfg',
  '.vault-token',
  '.terraformrc',
  '.s3cfg',
  '.boto',
  '.credentials.json',
  'oauth_creds.json',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ecdsa_sk',
  'id_ed25519',
  'id_ed25519_sk',
]);

/** Folders that are a credential store as a whole. */
const STORE_FOLDERS: ReadonlySet<string> = new Set([
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.password-store',
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.local/share/keyrings',
]);

/** A file of a tool's folder, as the last two segments of a path. */
const STORE_FILES: ReadonlySet<string> = new Set([
  '.git/config',
  '.docker/config.json',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.codex/auth.json',
  '.terraform.d/credentials.tfrc.json',
  'git/credentials',
  'opencode/auth.json',
]);

const WEAK_NAMES: ReadonlySet<string> = new Set([
  'credentials',
  'credentials.json',
  'secrets.json',
  'keystore.properties',
]);
const WEAK_SHAPES: readonly RegExp[] = [
  /\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/,
  /^client_secret.*\.json$/,
  /^service[-_]account.*\.json$/,
];
const PUBLIC_KEY = /(^|[._-])(pub|public)([._-]|$)/;

/** `.env.production` holds values; `.env.example` documents them. */
const ENVIRONMENT_FILE = /^\.env\..+$/;
const ENVIRONMENT_EXAMPLE = /\.(example|sample|template|tmpl|dist|defaults?|schema|md)$/;

const FIXTURE_FOLDER =
  /^(tests?|__tests__|testdata|test-data|specs?|fixtures?|__fixtures__|examples?|docs?|mocks?|__mocks__)$/;

/** Whether a path (relative or absolute, `/`-separated) names a place where credentials are kept. Never throws. */
export function isCredentialPath(path: string): boolean {
  const segments = path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  const name = segments.at(-1);
  if (name === undefined) return false;
  if (STRONG_NAMES.has(name) || STORE_FILES.has(segments.slice(-2).join('/'))) return true;
  if (ENVIRONMENT_FILE.test(name) && !ENVIRONMENT_EXAMPLE.test(name)) return true;
  if (isUnderStore(segments)) return true;
  return isWeakName(name) && !segments.slice(0, -1).some((folder) => FIXTURE_FOLDER.test(folder));
}

function isUnderStore(segments: readonly string[]): boolean {
  return segments.some((_segment, at) =>
    [1, 2, 3].some((length) => STORE_FOLDERS.has(segments.slice(at, at + length).join('/'))),
  );
}

function isWeakName(name: string): boolean {
  if (PUBLIC_KEY.test(name)) return false;
  return WEAK_NAMES.has(name) || WEAK_SHAPES.some((shape) => shape.test(name));
}
