/** discovery.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const discovery = `
EndpointSlice kind list
  1 metadata+ meta.ObjectMeta | 4 addressType!+ string | 2 endpoints+ []Endpoint | 3 ports+ []EndpointPort
Endpoint
  1 addresses!+ []string set | 2 conditions+ EndpointConditions | 3 hostname *string
  4 targetRef *core.ObjectReference | 5 deprecatedTopology {}string | 6 nodeName *string | 7 zone *string
  8 hints *EndpointHints
EndpointConditions
  1 ready *boolean | 2 serving *boolean | 3 terminating *boolean
EndpointHints
  1 forZones []ForZone | 2 forNodes []ForNode
ForZone
  1 name!+ string
ForNode
  1 name!+ string
EndpointPort atomic
  1 name *string | 2 protocol *string | 3 port *int32 | 4 appProtocol *string
`;
