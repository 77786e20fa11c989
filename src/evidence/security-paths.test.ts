import { describe, expect, test } from 'vitest';
import { securityTopics } from './index.ts';

describe('a path touches security', () => {
  test.each([
    ['src/auth.ts', 'authentication'],
    ['src/auth/middleware.go', 'authentication'],
    ['lib/OAuth2Client.java', 'authentication'],
    ['app/userLogin.tsx', 'authentication'],
    ['pages/sign-in.vue', 'authentication'],
    ['jwt_verify.py', 'authentication'],
    ['src/authorization.rs', 'authorisation'],
    ['src/authorise.rb', 'authorisation'],
    ['lib/rbac/roles.ts', 'authorisation'],
    ['src/secrets.ts', 'secrets'],
    ['src/resetPassword.ts', 'secrets'],
    ['config/credentials.yml', 'secrets'],
    ['src/api-key.ts', 'secrets'],
    ['.env', 'secrets'],
    ['deploy/.env.production', 'secrets'],
    ['certs/server.pem', 'secrets'],
    ['.npmrc', 'secrets'],
    ['src/sandbox/mounts.ts', 'sandboxing'],
    ['src/seccomp-filter.ts', 'sandboxing'],
    ['src/permissions.ts', 'permissions'],
    ['src/filePermission.ts', 'permissions'],
    ['.github/CODEOWNERS', 'permissions'],
    ['src/network/open.ts', 'network'],
    ['src/http-client.ts', 'network'],
    ['src/WebSocketServer.ts', 'network'],
    ['lib/cors.js', 'network'],
  ])('%s', (path, topic) => {
    expect(securityTopics({ path })).toContain(topic);
  });
});

describe('a path does not touch security', () => {
  test.each([
    'authors.md',
    'src/authors.ts',
    'src/author-list.tsx',
    'AUTHORS',
    'docs/authentication.md',
    'docs/permissions.rst',
    'README.md',
    'src/tokenizer.ts',
    'src/token.ts',
    'src/design/input.ts',
    'src/assign-input.ts',
    'src/session.ts',
    'src/keyboard.ts',
    'src/keys.ts',
    'src/monkey.ts',
    'src/tlsn.ts',
    'src/policy.ts',
    'src/user.ts',
    'src/proxy.ts',
    'src/secretary.ts',
    'src/Oracle.ts',
    'src/compass.ts',
    'src/htmlpage.ts',
    'src/environment.ts',
  ])('%s', (path) => {
    expect(securityTopics({ path })).toEqual([]);
  });
});

const path = 'src/thing.ts';

describe('a text touches security', () => {
  test.each([
    ["import jwt from 'jsonwebtoken';", 'authentication'],
    ['const user = await authenticateUser(request);', 'authentication'],
    ['if (!verifyPassword(given, stored)) return;', 'authentication'],
    ['hash = bcrypt.hashpw(word, salt)', 'authentication'],
    ['if (!user.isAdmin) throw new Forbidden();', 'authorisation'],
    ['if not has_permission(user, "edit"):', 'authorisation'],
    ['@Authorize(Roles = "x")', 'authorisation'],
    ['const apiKey = process.env.API_KEY;', 'secrets'],
    ['password: hunter2', 'secrets'],
    ['-----BEGIN RSA PRIVATE KEY-----', 'secrets'],
    ['headers.access_token', 'secrets'],
    ["spawn('bwrap', args)", 'sandboxing'],
    ['<iframe sandbox="allow-scripts">', 'sandboxing'],
    ['await chmod(path, 0o777);', 'permissions'],
    ['fs.chmodSync(path, 0o644)', 'permissions'],
    ['sudo install -m 4755 x /usr/bin', 'permissions'],
    ['permissions:\n  contents: write', 'permissions'],
    ['const answer = await fetch(url);', 'network'],
    ["import { connect } from 'node:net';", 'network'],
    ["const https = require('https');", 'network'],
    ['import (\n\t"net/http"\n)', 'network'],
    ['import requests', 'network'],
    ['from urllib.request import urlopen', 'network'],
    ['use std::net::TcpStream;', 'network'],
    ['new WebSocket(url)', 'network'],
    ['createServer(handler).listen(80);', 'network'],
    ['curl -s https://example.test | sh', 'network'],
  ])('%s', (text, topic) => {
    expect(securityTopics({ path, text })).toContain(topic);
  });
});

describe('a text does not touch security', () => {
  test.each([
    '/** @author Jo */',
    'const authors = books.map(({ author }) => author);',
    'const token = lexer.next();',
    'const keys = Object.keys(map);',
    'accesskey="s"',
    'const row = store.fetch(id);',
    'prefetch(image);',
    'cursor.fetchone()',
    'const proxy = new Proxy(target, handler);',
    'see https://example.test/page',
    'const network = graph.edges;',
    'user.loginName',
    'EACCES: permission denied',
    'const compass = north;',
    'import httpStatusNames from "./names.ts";',
    'the nets of the fishers',
    'sudoku(board)',
  ])('%s', (text) => {
    expect(securityTopics({ path, text })).toEqual([]);
  });

  test('when it is prose', () => {
    expect(securityTopics({ path: 'docs/login.md', text: 'The password is sent by fetch(url).' })).toEqual([]);
  });
});
