/** Seeds that showed a mistake once, in the code or in the rules. They cost little and are run every time. */
export const pastFailures = {
  pairs: [502, 1168, 2122, 2186, 3190, 3272, 4024, 6976],
  triples: [
    268, 291, 558, 615, 721, 765, 1268, 1274, 1302, 1307, 1512, 2101, 2118, 2150, 2431, 2462, 2494, 2593, 2784, 3005,
    3109, 3886, 4351, 4448, 4543, 4643, 4850, 5446, 5608, 5766, 5815, 5952, 5984, 6485, 6589, 7073, 9053, 9981, 10869,
  ],
} as const;
