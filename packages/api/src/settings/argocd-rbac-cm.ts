import { honoured, oneOf, type Settings, server } from './setting.ts';

export const argocdRbacCm = {
  'policy.csv': honoured('text', '', server, 'the policy: `p` lines for rights, `g` lines for roles'),
  'policy.*.csv': honoured('text', '', server, 'more of the policy, appended in the order of the keys'),
  'policy.default': honoured('text', '', server, 'the role of everybody who is signed in'),
  'policy.matchMode': oneOf(['glob', 'regex'], 'glob', server, 'how objects of the policy are compared'),
  scopes: honoured('yaml', '[groups]', server, 'the claims whose values are groups of a user'),
} as const satisfies Settings;
