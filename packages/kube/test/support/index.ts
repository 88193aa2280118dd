export { type LagMeasurement, measureEventLoopLag } from './measure-event-loop-lag.ts';
export { type Neighbour, startNeighbour } from './neighbour.ts';
export { stopwatch } from './wait-for-processor.ts';
