import { formatTime, type JsonObject, numberAt, objectsAt, textAt, toJson } from '@fairlead/apimachinery';
import { rest } from '../../api-server/rest-api.ts';
import { withApi } from '../../backend/with-api.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/project.ts';
import { durationFlag } from '../../duration.ts';
import { printItem, printItems } from '../../print-items.ts';
import { roleNamed } from '../../projects/change-project.ts';
import { readProject } from '../../projects/store-project.ts';

/** `fairlead project role list PROJECT` */
export const list: Handler<typeof specs.roleList> = (call) =>
  withApi(call, async (api) => {
    const [project = ''] = call.args;
    const { spec } = await readProject(api, project);
    printItems(call.terminal, objectsAt(toJson(spec), 'roles').map(withoutTokens), call.flags, {
      kind: 'role',
      head: ['ROLE', 'DESCRIPTION'],
      row: (role) => [textAt(role, 'name'), textAt(role, 'description')],
      none: `project ${project} has no roles: fairlead project role create ${project} ROLE creates one`,
    });
    return exitCodes.ok;
  });

/** `fairlead project role get PROJECT ROLE` */
export const get: Handler<typeof specs.roleGet> = (call) =>
  withApi(call, async (api) => {
    const [project = '', name = ''] = call.args;
    const role = roleNamed((await readProject(api, project)).spec, name);
    const item = objectsAt({ items: [toJson(role)] }, 'items').map(withoutTokens);
    printItem(call.terminal, item[0] ?? {}, call.flags.output, {
      kind: 'role',
      name,
      lines: [
        ['Role', role.name],
        ['Description', role.description ?? ''],
        ...(role.policies ?? []).map((policy): [string, string] => ['Policy', policy]),
        ...(role.groups ?? []).map((group): [string, string] => ['Group', group]),
        ['Tokens', String(role.jwtTokens?.length ?? 0)],
      ],
    });
    return exitCodes.ok;
  });

const withoutTokens = ({ jwtTokens: _, ...role }: JsonObject): JsonObject => role;

/** `fairlead project role create-token PROJECT ROLE` */
export const createToken: Handler<typeof specs.roleCreateToken> = (call) =>
  withApi(call, async (api) => {
    const { flags, terminal } = call;
    const [project = '', role = ''] = call.args;
    const answer = await api.call({
      method: 'POST',
      path: rest`/api/v1/projects/${project}/roles/${role}/token`,
      body: { project, role, id: flags.id ?? '', expiresIn: secondsOf(flags['expires-in']) },
    });
    terminal.write(`${textAt(answer, 'token')}\n`);
    return exitCodes.ok;
  });

export const secondsOf = (text: string | undefined): number =>
  Math.round((durationFlag('expires-in', text) ?? 0) / 1_000);

/** `fairlead project role list-tokens PROJECT ROLE` */
export const listTokens: Handler<typeof specs.roleListTokens> = (call) =>
  withApi(call, async (api) => {
    const [project = '', name = ''] = call.args;
    const role = toJson(roleNamed((await readProject(api, project)).spec, name));
    printItems(call.terminal, objectsAt(role, 'jwtTokens'), call.flags, {
      kind: 'token',
      head: ['ID', 'ISSUED-AT', 'ISSUED', 'EXPIRES'],
      row: (token) => [
        textAt(token, 'id'),
        String(numberAt(token, 'iat')),
        timeText(numberAt(token, 'iat')),
        timeText(numberAt(token, 'exp')),
      ],
      none: `role ${name} has no tokens`,
    });
    return exitCodes.ok;
  });

export const timeText = (seconds: number): string => (seconds === 0 ? 'never' : formatTime(seconds * 1_000));

/** `fairlead project role delete-token PROJECT ROLE ISSUED-AT` */
export const deleteToken: Handler<typeof specs.roleDeleteToken> = (call) =>
  withApi(call, async (api) => {
    const [project = '', name = '', which = ''] = call.args;
    const { jwtTokens = [] } = roleNamed((await readProject(api, project)).spec, name);
    const token = jwtTokens.find(({ iat, id }) => String(iat) === which || id === which);
    if (!token)
      throw new CliError(`role ${name} has no token ${which}: fairlead project role list-tokens ${project} ${name}`);
    await api.call({
      method: 'DELETE',
      path: rest`/api/v1/projects/${project}/roles/${name}/token/${String(token.iat)}`,
      query: { id: token.id },
    });
    call.terminal.write(`${call.terminal.style.good('✔')} token ${token.id || which} of role ${name} deleted\n`);
    return exitCodes.ok;
  });
