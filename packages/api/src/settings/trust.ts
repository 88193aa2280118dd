import { honoured, type SettingRole, type Settings } from './setting.ts';

const fetching: readonly SettingRole[] = ['controller', 'applicationset', 'notifications', 'server'];

export const argocdSshKnownHostsCm = {
  ssh_known_hosts: honoured('text', '', fetching, 'host keys of Git servers, as in a file known_hosts'),
} as const satisfies Settings;

export const argocdTlsCertsCm = {
  '*': honoured('text', '', fetching, 'the certificates that are trusted for the server of this name, in PEM'),
} as const satisfies Settings;

export const argocdGpgKeysCm = {
  '*': honoured('text', '', ['controller', 'server'], 'an armored public key for signatures of commits'),
} as const satisfies Settings;
