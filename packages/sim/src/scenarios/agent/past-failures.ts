import { actNames } from './acts.ts';
import { faultNames } from './faults.ts';
import type { Variety, Vocabulary } from './matrix.ts';

/** Seeds that found a bug before, in the code or in the invariants, with the space of schedules at that time. */
export interface PastFailures {
  readonly words: Vocabulary;
  /** The number of consecutive seeds per cell. */
  readonly seedsPerCell: number;
  readonly pairs: readonly number[];
  readonly triples: readonly number[];
}

/** Actions and faults are appended to their lists: a prefix of them is the former list. */
const first = (acts: number, faults: number, modes: readonly Variety[]): Vocabulary => ({
  modes,
  acts: actNames.slice(0, acts),
  faults: faultNames.slice(0, faults),
});

/** They are cheap and run every time. */
export const pastFailures: readonly PastFailures[] = [
  {
    words: first(19, 37, ['managed', 'autonomous']),
    seedsPerCell: 2,
    pairs: [502, 1168, 2122, 2186, 3190, 3272, 4024, 6976],
    triples: [
      268, 291, 558, 615, 721, 765, 1268, 1274, 1302, 1307, 1512, 2101, 2118, 2150, 2431, 2462, 2494, 2593, 2784, 3005,
      3109, 3886, 4351, 4448, 4543, 4643, 4850, 5446, 5608, 5766, 5815, 5952, 5984, 6485, 6589, 7073, 9053, 9981, 10869,
    ],
  },
  {
    words: first(21, 43, ['managed', 'autonomous', 'managed by destination']),
    seedsPerCell: 1,
    pairs: [354, 701],
    triples: [2781],
  },
  {
    words: first(21, 44, ['managed', 'autonomous', 'managed by destination']),
    seedsPerCell: 1,
    pairs: [43, 87, 351, 483, 659, 3190, 5457],
    triples: [75, 1605, 1706, 1952, 4432, 4941, 21211, 22406],
  },
  {
    words: first(21, 47, ['managed', 'autonomous', 'managed by destination']),
    seedsPerCell: 1,
    pairs: [1767, 1842, 2073, 2298, 3982, 4972],
    triples: [673, 1137],
  },
];
