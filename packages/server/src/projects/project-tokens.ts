import type { AppProject } from '@fairlead/api';

type Token = NonNullable<NonNullable<AppProject['spec']['roles']>[number]['jwtTokens']>[number];

/** Tokens are listed with their role and in the status; both lists become the same. A token without an id is known by its time. */
export function withTokens(project: AppProject): AppProject {
  const roles = project.spec.roles ?? [];
  const byRole = new Map(
    roles.map((role): [string, Token[]] => {
      const status = project.status?.jwtTokensByRole?.[role.name]?.items ?? [];
      const tokens = new Map<string, Token>();
      for (const token of [...status, ...(role.jwtTokens ?? [])]) {
        const id = token.id || String(token.iat);
        tokens.set(id, { ...token, id });
      }
      return [role.name, [...tokens.values()].sort((a, b) => b.iat - a.iat)];
    }),
  );
  if (roles.length === 0) {
    const { status, ...rest } = project;
    return status?.jwtTokensByRole === undefined ? project : { ...rest, status: {} };
  }
  return {
    ...project,
    spec: {
      ...project.spec,
      roles: roles.map((role) => {
        const { jwtTokens: _, ...rest } = role;
        const tokens = byRole.get(role.name) ?? [];
        return tokens.length === 0 ? rest : { ...rest, jwtTokens: tokens };
      }),
    },
    status: {
      jwtTokensByRole: Object.fromEntries(
        [...byRole].map(([role, items]) => [role, items.length === 0 ? {} : { items }]),
      ),
    },
  };
}

/** Adds a token to a role, or removes those that `drop` selects. */
export function changeTokens(
  project: AppProject,
  role: string,
  change: (tokens: readonly Token[]) => readonly Token[],
): AppProject {
  const normalized = withTokens(project);
  const tokens = change(normalized.status?.jwtTokensByRole?.[role]?.items ?? []);
  return withTokens({
    ...normalized,
    spec: {
      ...normalized.spec,
      roles: (normalized.spec.roles ?? []).map((one) => (one.name === role ? { ...one, jwtTokens: [...tokens] } : one)),
    },
    status: { jwtTokensByRole: { ...normalized.status?.jwtTokensByRole, [role]: { items: [...tokens] } } },
  });
}
