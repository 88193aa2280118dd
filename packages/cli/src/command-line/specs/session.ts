import { defineCommand } from '../command.ts';
import { serverFlags } from './shared-flags.ts';

const { 'server-crt': serverCrt, insecure, plaintext, 'grpc-web': grpcWeb } = serverFlags;

export const login = defineCommand({
  name: 'login',
  args: 'SERVER',
  count: [1, 1],
  summary: 'sign in to an API server',
  about: `Signs in to SERVER, HOST:PORT, and stores the token as a context, which commands then use: see fairlead context. The file is that of argocd, ~/.config/argocd/config, unless FAIRLEAD_CONFIG_DIR or
ARGOCD_CONFIG_DIR names another folder, so both commands share their contexts. The password is asked for without showing it; --password-stdin reads it from standard input.`,
  flags: {
    username: { type: 'string', value: 'NAME', help: 'account; asked for on a terminal, else admin' },
    password: {
      type: 'string',
      value: 'PASSWORD',
      help: 'password. Others can see it in the list of processes: --password-stdin is better',
    },
    'password-stdin': { type: 'boolean', help: 'read the password from standard input' },
    sso: { type: 'boolean', help: 'sign in with the OpenID provider of the server, in a browser' },
    'sso-port': { type: 'string', value: 'N', help: 'port that the browser returns to; 8085 by default' },
    'sso-launch-browser': { type: 'boolean', help: 'open a browser; true by default' },
    name: { type: 'string', value: 'NAME', help: 'name of the context; SERVER by default' },
    'server-crt': serverCrt,
    insecure,
    plaintext,
    'grpc-web': grpcWeb,
    'grpc-web-root-path': { type: 'string', value: 'PATH', help: 'path that the API server is served under' },
    'skip-test-tls': { type: 'boolean', help: 'accepted as by argocd, without effect' },
  },
  examples: [
    'login cd.example.com',
    'login localhost:8080 --plaintext --username admin',
    'login cd.example.com --sso',
    'login cd.example.com --username ci --password-stdin',
  ],
});

export const logout = defineCommand({
  name: 'logout',
  args: '[CONTEXT]',
  count: [0, 1],
  summary: 'end the session of a context',
  about:
    'Ends the session on the server and removes its token from the file of contexts. The context stays: fairlead context NAME --delete removes it.',
  flags: {},
  examples: ['logout', 'logout cd.example.com'],
});

export const context = defineCommand({
  name: 'context',
  aliases: ['ctx'],
  args: '[NAME]',
  count: [0, 1],
  summary: 'list, switch or delete contexts of API servers',
  about:
    'Without NAME, lists the contexts of fairlead login and argocd login. With NAME, makes it the current one, which commands use that name neither a cluster nor a server.',
  flags: {
    delete: { type: 'boolean', help: 'delete the context, with its token' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'json', 'name'],
      help: 'output format; table by default',
    },
  },
  examples: ['context', 'context cd.example.com', 'context cd.example.com --delete'],
});
