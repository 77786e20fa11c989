/** What makes a change one that must also be reviewed for security. */
export const SECURITY_TOPICS = [
  'authentication',
  'authorisation',
  'secrets',
  'sandboxing',
  'permissions',
  'network',
] as const;

export type SecurityTopic = (typeof SECURITY_TOPICS)[number];

interface Rule {
  /** Of a path's words in small letters with one blank between: `src/OAuthLogin.ts` is `src o auth login ts`. */
  readonly words: RegExp;
  /** Of a file's own name, where convention and not a word says what is in it. */
  readonly name?: RegExp;
  /** Of the text that was put in or taken out: only what is code or configuration in itself. */
  readonly text: RegExp;
}

/**
 * Few rules, each for whole words, since a gate that cries wolf is not obeyed: `authors` is no authentication, a
 * tokenizer no token, a design no sign-in. So `session`, `token`, `key`, `policy`, `user` and `proxy` are missing, which
 * are as often something else; what they stand for is found by its text. A rule may miss what has no telling name:
 * every changed path is reviewed in any case, this only asks for a second look with other eyes.
 */
export const SECURITY_RULES: Readonly<Record<SecurityTopic, Rule>> = {
  // Who somebody is: login flows, and libraries that exist for nothing else.
  authentication: {
    words:
      /\b(?:o?authn?\d?|authenticat\w*|oauth\d?|login|logout|sign ?in|sign ?up|sso|oidc|saml|jwt|mfa|totp|webauthn|passkeys?)\b/,
    text: /\b(?:jsonwebtoken|passport|bcrypt\w*|argon2\w*|pbkdf2\w*|scrypt\w*)\b|\b(?:authenticate\w*|login|logout|sign_?in|(?:verify|check|compare|hash)_?passwords?)\s*\(/i,
  },
  // What somebody may do.
  authorisation: {
    words: /\b(?:authz|authori[sz](?:e[drs]?|ation|er|ing)|rbac|abac|acls?)\b/,
    text: /\b(?:authori[sz](?:e[dr]?|ation)|(?:has|require|check)_?(?:role|permission|access|scope)s?|is_?admin|access_?control)\b/i,
  },
  // What must stay unknown: names of stores and of the values in them, and keys themselves.
  secrets: {
    words:
      /\b(?:secrets?|credentials?|passwords?|passwd|passphrases?|keyrings?|keychains?|keystores?|vault|api keys?|private keys?|(?:access|refresh|bearer) tokens?)\b/,
    name: /^\.env(?:\..+)?$|^\.(?:npmrc|netrc|pypirc|pgpass|htpasswd)$|^id_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:pem|key|p12|pfx|jks|ppk)$/,
    text: /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:api|secret|private|signing|encryption)[_-]?keys?\b|\baccess[_-]key\b|\b(?:client[_-]?secret|(?:access|refresh|bearer|auth)[_-]?tokens?|passwords?|passwd|passphrase|credentials?)\b/i,
  },
  // What confines a program.
  sandboxing: {
    words: /\b(?:sandbox\w*|seccomp|bubblewrap|bwrap|landlock|apparmor|selinux|firejail|chroot)\b/,
    text: /\b(?:sandbox\w*|seccomp|bubblewrap|bwrap|landlock|apparmor|selinux|firejail|chroot|pivot_root|unshare|setns|no_?new_?privs)\b/i,
  },
  // What the system lets whom do with a file or a process; who must agree to a change.
  permissions: {
    words: /\b(?:permissions?|privileges?|sudoers|umask|chmod|chown|codeowners)\b/,
    text: /\b(?:[fl]?ch(?:mod|own)(?:sync)?|umask|sete?[ug]id|setfacl|setcap|sudo)\b|^\s*permissions:/im,
  },
  // What is sent out or let in.
  network: {
    words:
      /\b(?:network(?:s|ing)?|firewall|egress|ingress|tls|ssl|cors|csrf|https?\d?|tcp|udp|dns|(?:web ?)?sockets?)\b/,
    text: /(?<![.\w])fetch\s*\(|\b(?:XMLHttpRequest|WebSocket|urlopen|createServer|createConnection)\s*\(|(?:\bfrom|\bimport|require\(|import\()\s*['"](?:node:)?(?:net|tls|https?|http2|dgram|dns|undici|axios)(?:\/promises)?['"]|"net(?:\/http)?"|\b(?:import|from)\s+(?:socket|ssl|requests|httpx|aiohttp|urllib\d?|http)\b|\b(?:std::net|tokio::net|reqwest::|hyper::)|\b(?:curl|wget)\s+\S/,
  },
};

/** Prose about security changes nothing. */
const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i;

/**
 * The topics of security that a change touches. `text` is what was put in together with what was taken out: a check that
 * is gone matters as much as a new one.
 */
export function securityTopics(change: { readonly path: string; readonly text?: string | undefined }): SecurityTopic[] {
  if (PROSE.test(change.path)) return [];
  const words = wordsOf(change.path);
  const name = change.path.slice(change.path.lastIndexOf('/') + 1);
  return SECURITY_TOPICS.filter((topic) => {
    const rule = SECURITY_RULES[topic];
    return rule.words.test(words) || rule.name?.test(name) === true || rule.text.test(change.text ?? '');
  });
}

/** `src/userLogin_v2.ts`: `src user login v2 ts`. */
function wordsOf(path: string): string {
  const words = path.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g) ?? [];
  return words.join(' ').toLowerCase();
}
