import { join } from 'node:path';

/** Below a home: keys, tokens, logins of tools, browsers and agents, and shell histories, which often hold them. */
const STORES: readonly string[] = [
  // Keys and password managers
  '.ssh .gnupg .pki .password-store .local/share/keyrings .local/share/kwalletd .config/op .config/1Password .config/Bitwarden .config/age',
  '.config/sops .vault-token .netrc .authinfo .authinfo.gpg Library/Keychains',
  // Git and its hosts
  '.git-credentials .config/git/credentials .config/gh .config/glab-cli .config/hub .config/git-credential-manager',
  // Clouds and clusters
  '.aws .azure .config/gcloud .boto .s3cfg .config/rclone .kube .docker .config/containers/auth.json .config/doctl .config/hcloud .fly',
  '.oci .terraform.d .terraformrc .config/heroku .config/netlify .config/vercel .wrangler .config/.wrangler .config/configstore .databrickscfg',
  // Package registries
  '.npmrc .yarnrc .yarnrc.yml .pypirc .config/pip/pip.conf .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config',
  '.m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .composer/auth.json .config/composer/auth.json .nuget/NuGet',
  '.config/NuGet .condarc .config/huggingface .cache/huggingface/token .kaggle',
  // Databases and mail
  '.pgpass .my.cnf .mylogin.cnf .mongorc.js .dbshell .subversion/auth .config/msmtp .msmtprc .mutt .thunderbird',
  // Browsers and the desktop
  '.mozilla .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera',
  '.config/Slack .config/discord .config/Signal .Xauthority .ICEauthority snap/firefox .var/app',
  // Coding agents
  '.codex/auth.json .codex/history.jsonl .codex/sessions .claude.json .claude/.credentials.json .claude/projects .claude/history.jsonl',
  '.local/share/opencode/auth.json .config/opencode .reasonix .config/reasonix .gemini .config/github-copilot .cursor .continue .aider.conf.yml',
  // Histories
  '.bash_history .zsh_history .local/share/fish/fish_history .python_history .node_repl_history .psql_history .mysql_history .lesshst',
].flatMap((line) => line.split(' '));

/** Absolute paths, below a home, of what a confined program must not read. They need not exist. */
export function credentialStores(home: string): string[] {
  return STORES.map((store) => join(home, store));
}

/** The system's own secrets. They matter when Remit runs as root: the box is then the owner of root's files. */
export const SYSTEM_SECRETS: readonly string[] = [
  '/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssh /etc/ssl/private /etc/letsencrypt /etc/krb5.keytab',
  '/etc/wireguard /etc/openvpn /etc/NetworkManager/system-connections /etc/wpa_supplicant /etc/kubernetes /etc/rancher /etc/docker',
  '/var/lib/cloud /var/lib/docker /var/lib/containerd /var/lib/containers /var/lib/kubelet /var/lib/rancher /var/lib/lxd /var/lib/incus',
  '/var/snap /var/log/journal /var/spool/cron /var/mail /var/spool/mail',
].flatMap((line) => line.split(' '));
