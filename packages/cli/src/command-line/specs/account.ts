import { defineCommand, type Flags } from '../command.ts';
import { backendFlags, listOutput, objectOutput, serverFlags } from './shared-flags.ts';

const account = {
  account: { type: 'string', value: 'NAME', help: 'name of the account; by default your own' },
} as const satisfies Flags;

export const accountList = defineCommand({
  name: 'account list',
  count: [0, 0],
  summary: 'list local accounts',
  about: 'Shows the accounts of argocd-cm that you may see, whether they are enabled, and what they may be used for.',
  flags: { ...listOutput, ...backendFlags },
  examples: ['account list', 'account list -o json'],
});

export const accountGet = defineCommand({
  name: 'account get',
  count: [0, 0],
  summary: 'show an account and its tokens',
  about: 'Shows an account with the ids of its tokens, when they were issued and when they expire; never a token.',
  flags: { ...account, ...objectOutput, ...backendFlags },
  examples: ['account get --account ci', 'account get --account ci -o yaml'],
});

export const accountCanI = defineCommand({
  name: 'account can-i',
  args: 'ACTION RESOURCE OBJECT',
  count: [3, 3],
  summary: 'check whether you may do something',
  about:
    'Prints yes or no. RESOURCE is clusters, projects, applications, applicationsets, repositories, certificates, accounts, gpgkeys, logs or exec; OBJECT is as in policies, such as PROJECT/NAME.',
  flags: serverFlags,
  examples: ["account can-i sync applications 'shop/*'", "account can-i get clusters '*'"],
});

export const accountInfo = defineCommand({
  name: 'account get-user-info',
  aliases: ['whoami'],
  count: [0, 0],
  summary: 'show who you are on the API server',
  about: 'Shows the user of the session, who has issued it, and its groups.',
  flags: { ...objectOutput, ...serverFlags },
  examples: ['account get-user-info', 'account get-user-info -o json'],
});

export const accountUpdatePassword = defineCommand({
  name: 'account update-password',
  count: [0, 0],
  summary: 'change the password of an account',
  about:
    'Asks for your current password and for the new one, without showing them. With --password-stdin, the first line of standard input is the current password and the second the new one. With a kubeconfig, no current password is needed.',
  flags: {
    ...account,
    'current-password': { type: 'string', value: 'PASSWORD', help: 'your current password; asked for if not given' },
    'new-password': { type: 'string', value: 'PASSWORD', help: 'the new password; asked for if not given' },
    'password-stdin': { type: 'boolean', help: 'read both from standard input' },
    ...backendFlags,
  },
  examples: ['account update-password', 'account update-password --account ci'],
});

export const accountGenerateToken = defineCommand({
  name: 'account generate-token',
  count: [0, 0],
  summary: 'create a token of an account',
  about: 'Prints a new token, once. The account needs the capability apiKey in argocd-cm.',
  flags: {
    ...account,
    id: { type: 'string', value: 'ID', help: 'id of the token; a random one by default' },
    'expires-in': {
      type: 'string',
      short: 'e',
      value: 'TIME',
      help: 'how long it is valid, such as 24h; forever by default',
    },
    ...backendFlags,
  },
  examples: ['account generate-token --account ci --expires-in 720h'],
});

export const accountDeleteToken = defineCommand({
  name: 'account delete-token',
  args: 'ID',
  count: [1, 1],
  summary: 'delete a token of an account',
  about: 'The server refuses the token from then on.',
  flags: { ...account, ...backendFlags },
  examples: ['account delete-token --account ci deploy'],
});
