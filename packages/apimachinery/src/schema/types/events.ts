/** events.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const events = `
Event kind list
  1 metadata+ meta.ObjectMeta | 2 eventTime!+ micro-time | 3 series *EventSeries | 4 reportingController string
  5 reportingInstance string | 6 action string | 7 reason string | 8 regarding+ core.ObjectReference
  9 related *core.ObjectReference | 10 note string | 11 type string | 12 deprecatedSource+ core.EventSource
  13 deprecatedFirstTimestamp+ time | 14 deprecatedLastTimestamp+ time | 15 deprecatedCount int32
EventSeries
  1 count!+ int32 | 2 lastObservedTime!+ micro-time
`;
