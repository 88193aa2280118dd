/** An SSH host key as the API stores it. */
export interface HostKey {
  readonly serverName: string;
  readonly certType: 'ssh';
  readonly certSubType: string;
  readonly certData: string;
}

/** The keys in lines of `known_hosts`. Comments, hashed hosts and markers are left out. */
export const knownHostKeys = (text: string): HostKey[] =>
  text.split('\n').flatMap((line) => {
    const [hosts = '', type = '', key = ''] = line.trim().split(/\s+/u);
    if (key === '' || /^[#|@]/u.test(hosts)) return [];
    return hosts.split(',').map((serverName) => ({
      serverName,
      certType: 'ssh' as const,
      certSubType: type,
      certData: Buffer.from(key).toString('base64'),
    }));
  });
