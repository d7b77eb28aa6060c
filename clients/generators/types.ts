// Types that the clients of each generator must have. It compiles if they do. .ci/generators copies it next to the clients.
import type { components, paths } from "./api.js";
import type { Kinds as HeyKinds, KindsCreate as HeyCreate, KindsCreateJsonhal as HeyHal, ListKindsData as HeyList } from "./hey/types.gen.js";
import type { KindsCreate as OrvalCreate, KindsCreateJsonhal as OrvalHal, Kinds as OrvalKinds, ListKindsParams as OrvalList } from "./orval/api.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Holds<T extends true> = T;
// Within returns whether the values of A and B are the same. An intersection such as string & string is the same as string.
type Within<A, B> = [A] extends [B] ? ([B] extends [A] ? (unknown extends A ? false : true) : false) : false;

type Kinds = components["schemas"]["Kinds"];
type Create = components["schemas"]["KindsCreate"];
type Query = NonNullable<paths["/api/kinds"]["get"]["parameters"]["query"]>;
type HeyQuery = NonNullable<HeyList["query"]>;
type Links<T> = T extends { _links?: infer L } ? NonNullable<L> : never;
type Heir<T> = Links<T> extends { heir?: infer H } ? H : never;
type Link = { href: string; templated?: boolean };

export type Checks = [
  // A reference is a string, one that can be null a string or null, and a list of references a list of strings.
  Holds<Within<Kinds["owner"], string>>, Holds<Within<HeyKinds["owner"], string>>, Holds<Within<OrvalKinds["owner"], string>>,
  Holds<Within<Create["owner"], string>>, Holds<Within<HeyCreate["owner"], string>>, Holds<Within<OrvalCreate["owner"], string>>,
  Holds<Within<Kinds["heir"], string | null>>, Holds<Within<HeyKinds["heir"], string | null>>, Holds<Within<OrvalKinds["heir"], string | null>>,
  Holds<Within<Kinds["tags"], string[]>>, Holds<Within<HeyKinds["tags"], string[]>>, Holds<Within<OrvalKinds["tags"], string[]>>,
  Holds<Within<Kinds["line"], string>>, Holds<Within<HeyKinds["line"], string>>, Holds<Within<OrvalKinds["line"], string>>,
  // A filter by time is a string, and one by a reference a list of strings.
  Holds<Within<Query["time[gte]"], string | undefined>>, Holds<Within<HeyQuery["time[gte]"], string | undefined>>, Holds<Within<OrvalList["time[gte]"], string | undefined>>,
  Holds<Within<Query["owner"], string[] | undefined>>, Holds<Within<HeyQuery["owner"], string[] | undefined>>, Holds<Within<OrvalList["owner"], string[] | undefined>>,
  // A link that can be null is a link or null.
  Holds<Within<Exclude<Heir<components["schemas"]["KindsCreate.jsonhal"]>, undefined>, Link | null>>,
  Holds<Within<Exclude<Heir<HeyHal>, undefined>, Link | null>>, Holds<Within<Exclude<Heir<OrvalHal>, undefined>, Link | null>>,
  // A struct that can be null has its name, and choices are literals.
  Holds<Same<Kinds["nestedOrNull"], components["schemas"]["Nested"] | null>>, Holds<Within<HeyKinds["nestedOrNull"], HeyKinds["nested"] | null>>,
  Holds<Within<OrvalKinds["nestedOrNull"], OrvalKinds["nested"] | null>>,
  Holds<Within<Kinds["choice"], "red" | "green" | "light blue">>, Holds<Within<HeyKinds["intOrNull"], 1 | 2 | 3 | null>>,
  Holds<Within<Kinds["eitherOrNull"], string | null>>, Holds<Within<HeyKinds["eitherOrNull"], string | null>>, Holds<Within<OrvalKinds["eitherOrNull"], string | null>>,
];
