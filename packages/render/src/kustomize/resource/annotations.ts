/** Annotations in which a build keeps its state. They are removed from the result. */
const domain = 'internal.config.kubernetes.io';

export const previousKinds = `${domain}/previousKinds`;
export const previousNames = `${domain}/previousNames`;
export const previousNamespaces = `${domain}/previousNamespaces`;
export const prefixes = `${domain}/prefixes`;
export const suffixes = `${domain}/suffixes`;
export const refBy = `${domain}/refBy`;
export const generatorBehavior = `${domain}/generatorBehavior`;
export const needsHashSuffix = `${domain}/needsHashSuffix`;
export const allowNameChange = `${domain}/allowNameChange`;
export const allowKindChange = `${domain}/allowKindChange`;
export const helmGenerated = `${domain}/helm-generated`;

export const origin = 'config.kubernetes.io/origin';
export const transformations = 'alpha.config.kubernetes.io/transformations';
export const localConfig = 'config.kubernetes.io/local-config';
export const enabled = 'enabled';

const legacy = ['config.kubernetes.io/path', 'config.kubernetes.io/index', 'config.k8s.io/id'];

export const buildAnnotations: readonly string[] = [
  previousKinds,
  previousNames,
  prefixes,
  suffixes,
  previousNamespaces,
  allowNameChange,
  allowKindChange,
  refBy,
  generatorBehavior,
  needsHashSuffix,
  `${domain}/path`,
  `${domain}/index`,
  `${domain}/seqindent`,
  `${domain}/id`,
  `${domain}/annotations-migration-resource-id`,
  ...legacy,
  helmGenerated,
];

/** Annotations that a JSON patch must preserve. */
export const isInternal = (key: string): boolean => key.startsWith(`${domain}/`) || legacy.includes(key);
