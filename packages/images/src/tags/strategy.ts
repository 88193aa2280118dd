import { ImagesError } from '../images-error.ts';

/** By what the newest tag is told. */
export type Strategy = 'semver' | 'newest-build' | 'alphabetical' | 'digest';

const names: Readonly<Record<string, Strategy>> = {
  semver: 'semver',
  'newest-build': 'newest-build',
  latest: 'newest-build',
  alphabetical: 'alphabetical',
  name: 'alphabetical',
  digest: 'digest',
};

/** An unknown name is refused: a silent default would move applications by a rule that nobody chose. */
export function parseStrategy(text: string): Strategy {
  const strategy = names[text.trim().toLowerCase()];
  if (strategy) return strategy;
  throw new ImagesError(
    'InvalidStrategy',
    `there is no update strategy ${JSON.stringify(text)}: use semver, newest-build, alphabetical or digest`,
  );
}

export interface StrategyTraits {
  /** What was learnt of a tag stays true: a build time does, what a moving tag points at does not. */
  readonly cacheable: boolean;
  /** The manifest of every candidate is needed, and not only the names. */
  readonly needsMetadata: boolean;
  readonly needsConstraint: boolean;
  /** The constraint is the one tag that counts. */
  readonly onlyConstraintTag: boolean;
}

export const traitsOf = (strategy: Strategy): StrategyTraits => ({
  cacheable: strategy !== 'digest',
  needsMetadata: strategy === 'newest-build',
  needsConstraint: strategy === 'digest',
  onlyConstraintTag: strategy === 'digest',
});
