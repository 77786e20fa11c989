import { type Denial, type HardDenialCode, hardDenial } from './decision.ts';

interface ProgramClass {
  readonly code: HardDenialCode;
  readonly what: string;
  readonly hint: string;
  /** Names in lower case, separated by blanks; compared with and without a version at the end. */
  readonly names: string;
}

/** Programs that no contract allows, by what they are. */
const DENIED_PROGRAMS: readonly ProgramClass[] = [
  {
    code: 'shell_or_wrapper',
    what: 'shells, eval and wrappers',
    hint: 'Give the program and its arguments directly; a script file with a #! line can be run as `./script.sh`.',
    names: `sh bash dash ash zsh ksh mksh pdksh yash csh tcsh fish elvish nu xonsh osh ysh pwsh powershell cmd rbash
      eval exec source . command builtin trap xargs parallel nohup timeout gtimeout time gtime nice ionice chrt taskset
      setsid stdbuf unbuffer script expect watch watchexec entr flock busybox toybox coreutils
      strace ltrace gdb lldb rr perf valgrind screen tmux dtach abduco at batch crontab systemd-run systemctl
      service launchctl start-stop-daemon daemonize rlwrap proot fakeroot xvfb-run dbus-run-session direnv dotenv
      cross-env cross-env-shell concurrently hyperfine nodemon open xdg-open osascript run-parts
      gxargs gnice gnohup gstdbuf genv chronic catchsegv faketime prlimit choom cgexec runcon dbus-launch winpty wsl
      op doppler aws-vault chamber dotenvx infisical
      vi vim nvim ex ed emacs emacsclient nano pico less more most man`,
  },
  {
    code: 'privilege_escalation',
    what: 'privilege escalation',
    hint: 'Commands run as the user that started Remit; nothing else is needed.',
    names: `sudo sudoedit su doas pkexec runuser setpriv gosu su-exec capsh newgrp sg chroot unshare nsenter bwrap
      firejail passwd visudo useradd usermod userdel groupadd mount umount insmod modprobe rmmod sysctl setcap
      docker podman nerdctl buildah lxc runc machinectl`,
  },
  {
    code: 'destructive_program',
    what: 'destructive file programs',
    hint: 'Change files with the edit, delete and move tools: they are checked against the scope.',
    names: `rm rmdir unlink shred srm dd truncate mv chmod chown chgrp chattr setfacl mkfs wipefs fdisk parted
      mkswap kill pkill killall skill reboot shutdown halt poweroff rimraf del-cli trash
      grm grmdir gunlink gshred gdd gtruncate gmv gchmod gchown gchgrp gkill`,
  },
  {
    code: 'network_program',
    what: 'network programs',
    hint: 'A task has no network but the model; use what is in the repository.',
    names: `curl wget aria2c axel lynx w3m links elinks http https httpie xh hurl nc ncat netcat socat telnet ssh slogin scp
      sftp ssh-keygen ssh-add ssh-agent ssh-copy-id rsync rclone ftp tftp lftp ping ping6 traceroute dig nslookup host whois
      nmap tcpdump iptables nft ip ifconfig mosh mail mailx sendmail msmtp psql mysql mongo mongosh redis-cli aws gcloud gsutil
      az doctl heroku vercel netlify fly flyctl wrangler firebase kubectl helm terraform tofu pulumi ansible ansible-playbook
      ngrok cloudflared websocat ttyd http.server ftplib telnetlib webbrowser`,
  },
  {
    code: 'github_client',
    what: 'gh and other forge clients',
    hint: 'The supervisor talks to the forge; a worker only edits.',
    names: 'gh hub glab tea',
  },
  {
    code: 'git_mutation',
    what: 'git mutation, and other version control programs',
    hint: 'Remit makes the one commit itself; read with git status, diff, show or log.',
    names: 'hg svn jj sl bzr fossil p4 gitk tig lazygit gitui git-shell git-lfs git-upload-pack git-receive-pack',
  },
  {
    code: 'publish_action',
    what: 'publish and release actions',
    hint: 'Publishing is done by people after the merge.',
    names:
      'twine semantic-release release-it np goreleaser vsce ovsx cargo-release standard-version lerna-publish jreleaser fastlane',
  },
  {
    code: 'dependency_change',
    what: 'package managers of the system',
    hint: 'Work with what is installed; say in the result what would be needed.',
    names: `apt apt-get aptitude dpkg rpm yum dnf zypper apk pacman emerge snap flatpak brew port nix nix-env nix-shell
      conda mamba micromamba guix venv virtualenv ensurepip easy_install pod carthage rustup nvm fnm volta asdf mise sdk ncu npm-check-updates`,
  },
];

const CLASS_OF: ReadonlyMap<string, ProgramClass> = new Map(
  DENIED_PROGRAMS.flatMap((kind) => kind.names.split(/\s+/).map((name) => [name, kind] as const)),
);

/** A dynamic loader runs the program that it is given; `git-x` is `git x` past every rule about git. */
const DENIED_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/^ld(-linux.*|-musl.*)?\.so(\.\d+)*$/, 'sh'],
  [/^ld-(linux|musl)/, 'sh'],
  [/^git-[a-z]/, 'hg'],
  [/^mkfs\./, 'mkfs'],
];

/** Every name in the tables, for tests and for documentation. */
export const deniedProgramNames: readonly string[] = [...CLASS_OF.keys()];

/**
 * The name that policy looks at: the last segment, so that `/bin/sh` and `./sh` are `sh`; in lower case, since a disk may
 * fold it (`/usr/bin/GIT` is git on macOS), and without the ending of a Windows program.
 */
export function programName(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1).toLowerCase();
  return name.replace(/\.(exe|com|cmd|bat)$/, '');
}

/** `python3.12` is `python`, `bash-5.2` is `bash`. */
export function unversionedName(name: string): string {
  return name.replace(/-?\d+(\.\d+)*$/, '');
}

export function denyProgram(program: string): Denial | undefined {
  const name = programName(program);
  const shape = DENIED_SHAPES.find(([pattern]) => pattern.test(name));
  const kind = CLASS_OF.get(name) ?? CLASS_OF.get(unversionedName(name)) ?? (shape && CLASS_OF.get(shape[1]));
  return kind && hardDenial(kind.code, `${kind.what} (${name})`, kind.hint);
}
