package openapi

import (
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/schema"
)

// placeOfSchemas is where the document keeps the schemas that others refer to.
const placeOfSchemas = "#/components/schemas/"

// pending is a place for a schema that is written in kin-openapi's types when all definitions
// have their names.
type pending struct {
	at *openapi3.SchemaRef
	of *schema.Schema
}

// schemaRef returns the place of a schema in the document.
func (b *builder) schemaRef(of *schema.Schema) *openapi3.SchemaRef {
	at := &openapi3.SchemaRef{}
	b.pending = append(b.pending, pending{at, of})
	return at
}

// components names the definitions, writes all schemas in kin-openapi's types, and returns
// those of the definitions by name.
func (b *builder) components() (openapi3.Schemas, error) {
	definitions, err := b.schemas.Name()
	if err != nil {
		return nil, err
	}
	components := openapi3.Schemas{}
	for _, d := range definitions {
		b.definitions = append(b.definitions, &d.Definition)
		at := &openapi3.SchemaRef{}
		components[d.Name] = at
		b.pending = append(b.pending, pending{at, d.Schema})
	}
	for _, p := range b.pending {
		made, err := kinRef(p.of)
		if err != nil {
			return nil, fmt.Errorf("a schema cannot be written: %w", err)
		}
		*p.at = *made
	}
	b.pending = nil
	return components, nil
}

// kinRef returns a schema in kin-openapi's types. It has keywords beside $ref from JSON only,
// and those that we have no name for.
func kinRef(of *schema.Schema) (*openapi3.SchemaRef, error) {
	hasName := func(k schema.Keyword) bool { return k.Name == "$ref" }
	switch {
	case of == nil:
		return nil, nil //nolint:nilnil // a keyword that is not there
	case of.Ref != nil && (&schema.Schema{Ref: of.Ref}).Equal(of):
		return openapi3.NewSchemaRef(placeOfSchemas+of.Ref.Name, nil), nil
	case of.Always != nil, of.Ref != nil, slices.ContainsFunc(of.More, hasName):
		made := &openapi3.SchemaRef{}
		return made, made.UnmarshalJSON(of.Append(nil, placeOfSchemas))
	}
	made, err := kinSchema(of)
	return openapi3.NewSchemaRef("", made), err
}

func kinSchema(of *schema.Schema) (*openapi3.Schema, error) {
	made := &openapi3.Schema{}
	if len(of.More) > 0 { // numbers are as near there as kin-openapi reads them
		if err := made.UnmarshalJSON((&schema.Schema{More: of.More}).Append(nil, "")); err != nil {
			return nil, err
		}
	}
	if of.Type != nil {
		made.Type = (*openapi3.Types)(&of.Type)
	}
	made.Format, made.Title, made.Description, made.ReadOnly, made.WriteOnly = of.Format, of.Title, of.Description, of.ReadOnly, of.WriteOnly
	made.Default, made.Examples = schema.Go(of.Default), kinValues(of.Examples)
	made.Const, made.Enum = schema.Go(of.Const), kinValues(of.Enum)
	made.MinLength, made.MaxLength, made.Pattern = of.MinLength, of.MaxLength, of.Pattern
	made.ContentEncoding, made.ContentMediaType = of.ContentEncoding, of.ContentMediaType
	made.Min, made.Max = kinNumber(of.Min), kinNumber(of.Max)
	made.ExclusiveMin.Value, made.ExclusiveMax.Value = kinNumber(of.ExclusiveMin), kinNumber(of.ExclusiveMax)
	made.MinItems, made.MaxItems, made.UniqueItems = of.MinItems, of.MaxItems, of.UniqueItems
	made.MinProps, made.MaxProps, made.Required = of.MinProperties, of.MaxProperties, of.Required
	return made, kinInner(made, of)
}

// kinInner adds the schemas that stand in another one.
func kinInner(made *openapi3.Schema, of *schema.Schema) (err error) {
	inner := func(of *schema.Schema) *openapi3.SchemaRef {
		ref, failed := kinRef(of)
		if failed != nil {
			err = failed
		}
		return ref
	}
	all := func(list []*schema.Schema) (refs openapi3.SchemaRefs) {
		for _, each := range list {
			refs = append(refs, inner(each))
		}
		return refs
	}
	made.Items, made.PropertyNames, made.Not = inner(of.Items), inner(of.PropertyNames), inner(of.Not)
	made.AllOf, made.AnyOf, made.OneOf = all(of.AllOf), all(of.AnyOf), all(of.OneOf)
	switch rest := of.AdditionalProperties; {
	case rest == nil:
	case rest.Always != nil:
		made.AdditionalProperties.Has = rest.Always
	default:
		made.AdditionalProperties.Schema = inner(rest)
	}
	if len(of.Properties) > 0 {
		made.Properties = make(openapi3.Schemas, len(of.Properties))
	}
	for _, p := range of.Properties {
		made.Properties[p.Name] = inner(p.Schema)
	}
	return err
}

// kinNumber returns a bound as float64, as which kin-openapi has all of them.
func kinNumber(bound schema.Decimal) *float64 {
	n, ok := bound.Float64()
	if !ok {
		return nil
	}
	return &n
}

func kinValues(texts []jsontext.Value) []any {
	var values []any
	for _, text := range texts {
		values = append(values, schema.Go(text))
	}
	return values
}
