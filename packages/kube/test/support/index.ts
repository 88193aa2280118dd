export { type LagMeasurement, measureEventLoopLag } from './measure-event-loop-lag.ts';
export { type Neighbour, startNeighbour } from './neighbour.ts';
export { stopwatch, waitForProcessorMs } from './wait-for-processor.ts';
