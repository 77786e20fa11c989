import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideCommand } from './command-policy.ts';
import { deniedProgramNames } from './denied-programs.ts';
import { denyVerificationCommand, type PolicyRules } from './index.ts';

const rules: PolicyRules = {
  classifyPath: () => ({ kind: 'outside' }),
  verification: [
    { id: 'unit', argv: ['npm', 'test'], cwd: '' },
    { id: 'web', argv: ['node', '--test', 'test/'], cwd: 'packages/web' },
    { id: 'script', argv: ['./run-tests.sh'], cwd: '.' },
  ],
  allowedCommands: [{ id: 'types', argv: ['tsc', '--noEmit'], cwd: '' }],
};

/** One command a line, arguments separated by blanks; `␠` is a blank inside an argument. */
function lines(text: string): string[][] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/ +/).map((word) => word.replaceAll('␠', ' ')));
}

function codeOf(argv: readonly string[], cwd = ''): string {
  const decision = decideCommand(argv, cwd, rules);
  return decision.kind === 'deny' ? decision.code : decision.kind;
}

const ALLOWED = `
  cat README.md
  cat -n src/a.ts src/b.ts
  cat ./src/a.ts
  cat -- -odd-name
  cat .env.example
  cat src/credentials.ts
  /bin/cat a
  ls
  ls -la src
  rg needle
  rg -n -C3 needle src
  rg /etc/passwd src
  rg -e needle --glob !*.md src
  rg --files
  sed -n 1,20p src/a.ts
  sed -n 10,$p src/a.ts
  sed -n -e 3p -e 5,7p a
  sed -n 1p;4,6p a
  find . -name *.ts -type f
  find src -maxdepth 2 ( -name a -o -name b ) -print
  head -20 a
  head -n 20 a
  tail -c100 a
  wc -l a b
  cut -d: -f1 a
  cut -d / -f 2 a
  sort -k2,2n a
  sort -ru a
  uniq -c a
  stat -c %s a
  file a.png
  pwd
  tree -L 2 src
  du -sh src
  grep -rn needle src
  diff -u a b
  git status
  git status --porcelain=v1 -b
  git --no-pager status
  git --version
  git diff
  git diff HEAD -- src/a.ts
  git diff --stat main...HEAD
  git diff -- . :!package-lock.json
  git log -p
  git log --oneline -20
  git log --all -S needle
  git log --since=yesterday --format=%h␠%s
  git log -L1,5:src/a.ts
  git show HEAD:src/a.ts
  git show --name-only HEAD~1
  git rev-parse --show-toplevel
  git rev-parse --git-dir
  git rev-list --count HEAD
  git diff-tree -r HEAD
  git diff-index --cached HEAD
  git ls-files -o --exclude-standard
  git ls-tree -r HEAD
  git cat-file -p HEAD:a
  git name-rev HEAD
  git describe --tags
  git merge-base --is-ancestor a b
  git show-ref --heads
  git symbolic-ref HEAD
  git grep -n needle -- src
  git grep /etc/passwd
  git check-ignore -v a
  npm test
  env CI=1 npm test
  env CI=1 NO_COLOR=1 LC_ALL=C TZ=Europe/Berlin npm test
  tsc --noEmit
  ./run-tests.sh
`;

const DENIED: Readonly<Record<string, string>> = {
  not_allowed: `
    npm run build
    npm test --watch
    npx vitest run
    node script.mjs
    node --test test/
    make test
    ./cat a
    ./other.sh
    env CI=1 cat a
    FOO=1
    rg -z needle
    rg -L needle
    cat --unknown a
    head -n -f a
    tail -f a
    sed s/a/b/ a
    sed -i s/a/b/ a
    sed -f x.sed a
    sed -n 1,5p -i a
    find -L . -name a
    find . -files0-from x
    sort -o b a
    sort -uo b a
    sort --output=b a
    sort --outp=b a
    sort -T x a
    uniq a b
    file -C -m x
    tree -o x
    tree -R
    pwd x
    git diff --no-index a b
    git cat-file --batch
    git diff --unknown
    git diff -- :(top)x
    git blame a
    cp a b
    mkdir x
    touch x
  `,
  git_mutation: `
    git -c alias.x=!id x
    git -p status
    git --git-dir=x log
    git --exec-path=. log
    git --no-pager -c core.pager=e log
    git -C sub status
    git --work-tree=x status
    git --config-env=a=b status
    git
    git add a
    git commit -m x
    git checkout main
    git reset --hard
    git stash
    git push
    git fetch
    git clone x
    git rebase main
    git branch x
    git tag v1
    git update-ref refs/heads/x HEAD
    git config a b
    git worktree add x
    git clean -fd
    git unknown-alias
    git symbolic-ref HEAD refs/heads/x
    git symbolic-ref -d HEAD
    git symbolic-ref --delete HEAD
    git diff --output=src/x
    git diff --outp=src/x
    git diff --o=src/x
    git range-diff --ou=x a b
    git grep --op needle
    GIT push
    /usr/bin/Git push
    git.exe push
    git remote add x y
    git remote -v
    git submodule foreach id
    git bisect run id
    git difftool
    git apply x
    git hash-object -w a
    git notes add
    git reflog expire
    git lfs fetch
    git -P log
    git --literal-pathspecs -c a.b=c log
    env CI=1 git push
    git log --output src/x
    git diff --ext-diff
    git show --textconv a
    git grep -O needle
    git grep -nOless needle
    git grep --open-files-in-pager=x needle
    git cat-file --filters HEAD:a
    git-commit -m x
    /usr/bin/git push
    hg commit
  `,
  github_client: `
    gh pr create
    GH pr create
    npx gh pr create
    /usr/local/bin/gh api
    glab mr
  `,
  network_program: `
    curl https://example.test
    CURL x
    curl.exe x
    npx wrangler deploy
    python3 -m webbrowser x
    env CI=1 curl x
    wget x
    nc -l 1
    ssh host
    rsync a b
    python3 -m http.server
  `,
  privilege_escalation: `
    sudo npm test
    env CI=1 sudo npm test
    npx sudo x
    su root
    doas x
    docker run x
  `,
  destructive_program: `
    rm -rf src
    /bin/rm a
    ./rm a
    shred a
    dd if=a of=b
    mv a b
    chmod +x a
    mkfs.ext4 a
    npx rimraf dist
    pnpm -r exec rm -rf dist
    yarn workspaces foreach -A exec rm -rf dist
    unlink a
    truncate -s 0 a
    kill 1
  `,
  shell_or_wrapper: `
    sh -c id
    bash run.sh
    /bin/bash -lc id
    zsh x
    bash-5.2 x
    sh test/run.sh
    eval id
    xargs cat
    nohup npm test
    timeout 5 npm test
    time npm test
    busybox cat a
    env
    env -S npm␠test
    env -i npm test
    env CI=1 bash
    env GIT_EXTERNAL_DIFF=./e git diff
    env NODE_OPTIONS=--require=./x npm test
    env TZ=:/etc/passwd npm test
    env CI=1 env CI=1 npm test
    /usr/bin/env bash
    env CI=1
    find . -exec cat {} +
    find . -name x -delete
    find . -fprint x
    rg --pre ./x needle
    rg --pre=./x needle
    go test -exec ./x ./...
    npm test --script-shell=./x
    npx bash
    npm exec -- sh -c id
    pnpm exec sh
    pnpm sh
    pnpm --filter web exec sh
    yarn sh
    yarn workspace web exec sh
    yarn workspaces foreach -A exec sh
    lerna exec -- sh
    nx exec -- sh
    stack exec sh
    dune exec sh
    mvn exec:exec
    make SHELL=./x test
    make test .SHELLFLAGS=-c
    cargo --config build.rustc-wrapper="x" test
    cargo test --config target.x.runner="x"
    gxargs cat
    genv CI=1 npm test
    op run npm test
    pwsh -c x
    vim -c :!id
    less a
    yarn exec bash
    uv run bash
    python3 -m bash
    /lib64/ld-linux-x86-64.so.2 ./x
    concurrently a
  `,
  inline_code: `
    node -e 1
    node --eval 1
    node --eval=1
    node -p 1
    node -pe 1
    node -r ./x -e 1
    node --import data:text/javascript,1 a.js
    node --import=data:text/javascript,1 a.js
    node
    node -
    nodejs -e 1
    /usr/bin/node -e 1
    node22 -e 1
    python3 -c 1
    python3.12 -Ic 1
    python3 -
    python3 -m timeit 1
    perl -e 1
    perl -lne 1
    perl -MPOSIX;id a.pl
    ruby -ne 1
    php -r 1
    bun -e 1
    deno eval 1
    deno run -
    lua -e 1
    awk {print} a
    mix eval 1
    mix run -e 1
    babel-node -e 1
    coffee -e 1
    sed 1e a
    sed -n 1eid a
    sed e␠id a
    sed -n w␠x a
    sed s/a/b/e a
    sed -i s/a/b/ge a
    sed -ne 1e a
    sed --expression=1e a
    sed --exp 1e p
    sed -e p -e 1e a
    sed p;1e a
    python3 -m pty
    Rscript -e 1
    PYTHON3 -c 1
    node.exe -e 1
    awk BEGIN{system("id")}
    make --eval=x
    make -f -
    npx -c id
    yarn node -e 1
    tsx -e 1
    env CI=1 node -e 1
  `,
  publish_action: `
    npm publish
    npm unpublish x
    NPM publish
    pnpm -r publish
    yarn workspace web publish
    yarn workspaces foreach run publish
    turbo run deploy
    nx run web:deploy
    sbt publish
    lein deploy
    gradle :app:publish
    bundle exec fastlane release
    pnpm publish
    cargo publish
    yarn npm publish
    gem push x
    twine upload x
    npm run release
    make deploy
    mvn deploy
    semantic-release
  `,
  dependency_change: `
    npm install
    npm i x
    npm ci
    npm isntall x
    npm --prefix sub install
    npm --foo --bar x install
    npm version 1
    npx --yes x
    npx x@latest
    npx @scope/x@1
    npx github:a/b
    npx a/b
    npx https://example.test/x.tgz
    npm exec x@1
    bunx x@1
    uvx --from x y
    uvx x==1
    python3 -m venv x
    yarn workspace web add x
    yarn workspace web install
    yarn workspaces focus
    npx -p x y
    pnpm add x
    pnpm dlx x
    yarn
    yarn add x
    bun install
    pip install x
    pip3.11 install x
    python3 -m pip install x
    python3 -m pip.__main__ install x
    cargo add x
    cargo +nightly install x
    go get x
    go mod tidy
    go run x@latest
    gem install x
    bundle install
    composer require x
    apt-get install x
    brew install x
    uv add x
    uv run --with x y
    poetry add x
  `,
  credential_path: `
    cat .env
    cat .env.production
    cat .npmrc
    cat home/.aws/config
    cat .ssh/config
    cat server.pem
    head -c 10 id_rsa
    rg key .netrc
    git show HEAD:.env
    git diff -- .npmrc
    node --env-file=.env a.mjs
    cat ID_RSA
  `,
  outside_worktree: `
    cat /etc/passwd
    cat ../secret
    cat src/../../x
    cat ~/x
    cat ~
    ls ..
    rg needle /etc
    rg -f /etc/passwd a
    rg needle --ignore-file=../x
    sed -n 1p /etc/passwd
    find / -name x
    find . -newer /etc/passwd
    git diff -- ../x
    git show HEAD:../x
    pytest /tmp/x
    ../x.sh
    node ../x.mjs
  `,
};

describe('a command', () => {
  test.each(lines(ALLOWED).map((argv) => [argv.join(' '), argv] as const))('%s may run', (_text, argv) => {
    expect(decideCommand(argv, '', rules)).toMatchObject({ kind: 'allow' });
  });

  for (const [code, commands] of Object.entries(DENIED)) {
    test.each(lines(commands).map((argv) => [argv.join(' '), argv] as const))(
      `%s is refused as ${code}`,
      (_text, argv) => {
        expect(codeOf(argv)).toBe(code);
      },
    );
  }

  test('without a program, with a NUL, with blanks in the name or too long is malformed', () => {
    for (const argv of [
      [],
      [''],
      ['cat', 'a\0b'],
      ['npm test'],
      ['cat\na'],
      ['cat', 'a'.repeat(200_000)],
      ['1'.repeat(5_000)],
    ])
      expect(codeOf(argv)).toBe('malformed_command');
  });

  test('that nests launchers without end is refused', () => {
    expect(codeOf([...Array(4_000).fill('npx'), 'vitest'])).toBe('shell_or_wrapper');
    expect(codeOf(Array(5_000).fill('cat'))).toBe('malformed_command');
  });

  test('of the contract runs in exactly its own cwd, and the refusal names that cwd', () => {
    expect(codeOf(['node', '--test', 'test/'], 'packages/web')).toBe('allow');
    expect(codeOf(['node', '--test', 'test/'], 'packages/web/')).toBe('allow');
    expect(decideCommand(['node', '--test', 'test/'], 'packages', rules)).toMatchObject({
      code: 'not_allowed',
      hint: expect.stringContaining('packages/web'),
    });
  });

  test('may name a parent folder as long as it stays inside the worktree', () => {
    expect(codeOf(['cat', '../a'], 'src')).toBe('allow');
    expect(codeOf(['cat', '../../a'], 'src')).toBe('outside_worktree');
    expect(codeOf(['cat', 'a'], '../src')).toBe('outside_worktree');
    expect(codeOf(['cat', 'a'], '/work')).toBe('outside_worktree');
  });

  test('may name a path of the worktree absolutely where the worktree is known, but no sibling with the same prefix', () => {
    const known = { ...rules, worktree: '/state/task' };
    expect(decideCommand(['cat', '/state/task/src/a'], 'src', known)).toMatchObject({ kind: 'allow' });
    expect(decideCommand(['cat', '/state/task2/a'], '', known)).toMatchObject({ code: 'outside_worktree' });
    expect(decideCommand(['cat', '/state/task/.env'], '', known)).toMatchObject({ code: 'credential_path' });
    expect(decideCommand(['cat', '/state/task/../x'], '', known)).toMatchObject({ code: 'outside_worktree' });
  });

  test('that is refused is told what would succeed', () => {
    const decision = decideCommand(['npm', 'run', 'build'], '', rules);
    expect(decision).toMatchObject({ hint: expect.stringContaining('["npm","test"]') });
  });
});

describe('a verification', () => {
  test.each(
    lines(`
      npm test
      npm run test:unit -- --run
      npm test -- release
      npx vitest run
      npx --no-install x
      node --test
      node script.mjs -e x
      node --import tsx --test a.ts
      python3 -m pytest -c pytest.ini
      python3 -m unittest discover
      cargo test
      cargo +nightly nextest run
      go test ./...
      go mod verify
      make test
      ./run-tests.sh
      /usr/bin/node x.js
      pnpm -r test
      pnpm --filter web test
      npm --prefix web test
      npm -w packages/a run test
      npx --no-install tsc --noEmit
      npx @scope/tool check
      npm exec vitest run
      yarn workspace web test
      yarn workspaces run test
      yarn workspaces foreach -A run test
      yarn workspaces list
      node --test test/x.test.mjs
      node --run test
      deno test
      bun test
      bun run test
      pytest -q
      python3 -m mypy src
      tox -e py312
      ruff check .
      tsc -p tsconfig.json
      eslint .
      make -j4 V=1 test
      cargo clippy -- -D warnings
      cargo --config net.offline=true test
      go vet ./...
      rake test
      mix test
      mix format --check-formatted
      sbt test
      lein test
      turbo run test --filter=web
      nx run web:test
      dune exec ./test.exe
      bazel test //...
      bazel test //web:all -//web:slow
      ctest --test-dir build
      swift test
      just test
      uvx ruff check
      sed -n /word/p a
      sed -e s/a/b/g -e $d a
      sed -n 5q a
      sed s/(a|b)/[&]/g a
      Rscript tests.R
      pnpm vitest run
      yarn test
      uv run pytest
      bundle exec rspec
      ./gradlew test
      mvn -q test
      dotnet test
      ruby -Itest test/a.rb
      perl -Ilib t/a.t
      php vendor/bin/phpunit
      deno test -A
      git diff --exit-code
      git diff --check
      grep -q /api/v1 src/x
      jq -e .a x.json
      awk -f check.awk a
      test -f x
      env CI=1 npm test
      pytest tests/a.py::test_b
    `).map((argv) => [argv.join(' '), argv] as const),
  )('may be %s', (_text, argv) => {
    expect(denyVerificationCommand(argv, '')).toBeUndefined();
  });

  test('may be no shell, also not for a script file; the reason says how to run one', () => {
    expect(denyVerificationCommand(['sh', 'test/run.sh'], '')).toEqual({
      reason: 'shells, eval and wrappers (sh)',
      hint: expect.stringContaining('./script.sh'),
    });
    expect(denyVerificationCommand(['sh', '-c', 'true'], '')?.reason).toMatch(/shells/);
  });

  test('may not run outside the repository', () => {
    expect(denyVerificationCommand(['npm', 'test'], '../x')?.reason).toMatch(/outside/);
  });
});

describe('whatever a contract says', () => {
  const wild = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '',
      '\0',
      '\n',
      '\udc80',
      '-',
      '--',
      '..',
      'git',
      'env',
      'CI=1',
      'npx',
      'find',
      '-exec',
      'npm',
      'node',
      '__proto__',
      'constructor',
      'toString',
    ),
  );

  test('no program of the tables becomes allowed by it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...deniedProgramNames),
        fc.constantFrom('', '/usr/bin/', './', 'node_modules/.bin/'),
        fc.array(wild, { maxLength: 4 }),
        fc.constantFrom<readonly string[]>(
          [],
          ['env', 'CI=1'],
          ['npx'],
          ['pnpm', 'exec'],
          ['uv', 'run'],
          ['yarn', 'exec'],
          ['npm', 'exec', '--'],
        ),
        (name, folder, args, launcher) => {
          const argv = [...launcher, folder + name, ...args];
          const command = { id: 'x', argv, cwd: '' };
          const permissive = { ...rules, verification: [command], allowedCommands: [command] };
          expect(decideCommand(argv, '', permissive).kind).toBe('deny');
          expect(denyVerificationCommand(argv, '')).toBeDefined();
        },
      ),
    );
  });

  test('a decision is made for any argv and any cwd, and lint and policy agree', () => {
    fc.assert(
      fc.property(fc.array(wild, { maxLength: 6 }), fc.oneof(fc.constant(''), wild), (argv, cwd) => {
        const command = { id: 'x', argv, cwd };
        const decision = decideCommand(argv, cwd, { ...rules, allowedCommands: [command] });
        expect(decision.kind).toBe(denyVerificationCommand(argv, cwd) === undefined ? 'allow' : 'deny');
      }),
      { numRuns: 500 },
    );
  });
});
