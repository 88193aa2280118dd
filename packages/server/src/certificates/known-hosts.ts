/** One line of the known hosts: who has which key. */
export interface KnownHost {
  readonly host: string;
  readonly subType: string;
  readonly data: string;
}

/** The lines of a known_hosts file that name a key; comments and others are left out. */
export const readKnownHosts = (text: string): KnownHost[] =>
  text.split('\n').flatMap((line) => {
    const [, host, subType, data] = /^([^\s#]\S*)\s(\S+)\s(.+)$/u.exec(line.trim()) ?? [];
    return host === undefined || subType === undefined || data === undefined ? [] : [{ host, subType, data }];
  });

export const writeKnownHosts = (hosts: readonly KnownHost[]): string =>
  `${hosts.map(({ host, subType, data }) => `${host} ${subType} ${data}`).join('\n')}\n`;
