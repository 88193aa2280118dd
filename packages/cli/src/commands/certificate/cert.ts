import { readFileSync } from 'node:fs';
import { messageOf, objectsAt, textAt } from '@fairlead/apimachinery';
import { withApi } from '../../backend/with-api.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/certificate.ts';
import { printItems } from '../../print-items.ts';
import { confirmed } from '../../terminal/confirm.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { knownHostKeys } from './host-keys.ts';

const path = '/api/v1/certificates';

/** `fairlead cert list` */
export const list: Handler<typeof specs.certList> = (call) =>
  withApi(call, async (api) => {
    const { flags, terminal } = call;
    const query = { certType: flags['cert-type'], hostNamePattern: flags['hostname-pattern'] };
    const answer = await api.call({ path, query });
    printItems(terminal, objectsAt(answer, 'items'), flags, {
      kind: 'certificate',
      head: ['HOST', 'TYPE', 'SUBTYPE', 'INFO'],
      row: (one) => ['serverName', 'certType', 'certSubType', 'certInfo'].map((field) => textAt(one, field)),
      none: 'no certificates or host keys are stored',
    });
    return exitCodes.ok;
  });

/** A file, or standard input without one. */
export async function inputFrom(terminal: Terminal, file: string | undefined): Promise<string> {
  try {
    return file === undefined ? await terminal.readInput() : readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`--from ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** `fairlead cert add-tls HOST` */
export const addTls: Handler<typeof specs.certAddTls> = async (call) => {
  const { flags, terminal, args } = call;
  const [serverName = ''] = args;
  const pem = await inputFrom(terminal, flags.from);
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new CliError('the input has no certificate in PEM: it begins with -----BEGIN CERTIFICATE-----');
  return withApi(call, async (api) => {
    const items = [{ serverName, certType: 'https', certData: Buffer.from(pem).toString('base64') }];
    const answer = await api.call({ method: 'POST', path, query: { upsert: flags.upsert }, body: { items } });
    terminal.write(result(objectsAt(answer, 'items').length, 'certificate', serverName));
    return exitCodes.ok;
  });
};

/** `fairlead cert add-ssh` */
export const addSsh: Handler<typeof specs.certAddSsh> = async (call) => {
  const { flags, terminal } = call;
  const items = knownHostKeys(await inputFrom(terminal, flags.from));
  if (items.length === 0) throw new CliError('the input has no host keys: use lines as ssh-keyscan HOST prints them');
  return withApi(call, async (api) => {
    const answer = await api.call({ method: 'POST', path, query: { upsert: flags.upsert }, body: { items } });
    const hosts = [...new Set(items.map(({ serverName }) => serverName))].join(', ');
    terminal.write(result(objectsAt(answer, 'items').length, 'host key', hosts));
    return exitCodes.ok;
  });
};

const result = (count: number, what: string, hosts: string): string =>
  count === 0 ? `nothing new for ${hosts}\n` : `✔ ${count} ${what}${count === 1 ? '' : 's'} of ${hosts} added\n`;

/** `fairlead cert rm HOST` */
export const remove: Handler<typeof specs.certRemove> = async (call) => {
  const { flags, terminal, args } = call;
  const [host = ''] = args;
  if (!(await confirmed(terminal, `Remove what ${host} is trusted by?`, flags.yes))) return exitCodes.error;
  return withApi(call, async (api) => {
    const query = { hostNamePattern: host, certType: flags['cert-type'], certSubType: flags['cert-sub-type'] };
    const removed = objectsAt(await api.call({ method: 'DELETE', path, query }), 'items');
    if (removed.length === 0) throw new CliError(`nothing is stored for ${host}: fairlead cert list lists the hosts`);
    for (const one of removed)
      terminal.write(
        `✔ ${textAt(one, 'certSubType') || textAt(one, 'certType')} of ${textAt(one, 'serverName')} removed\n`,
      );
    return exitCodes.ok;
  });
};
