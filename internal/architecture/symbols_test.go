package architecture_test

import (
	"go/ast"
	"iter"
	"strings"
)

// symbol is a name that a package shows others.
type symbol struct {
	name       string
	node       ast.Node
	member     bool // a method or a field
	isType     bool
	documented bool
}

// isPublic reports whether users can import the package.
func isPublic(dir string) bool {
	return !strings.Contains("/"+dir, "/internal/") && !strings.HasPrefix(dir, "examples/")
}

// symbols yields the exported names that a file declares: constants, variables, types and functions, and the methods
// and fields of exported types. It also yields unexported types. A field with a tag is data and documents itself.
func symbols(s source) iter.Seq[symbol] {
	return func(yield func(symbol) bool) {
		for _, decl := range s.file.Decls {
			for _, found := range declared(decl) {
				if !yield(found) {
					return
				}
			}
		}
	}
}

func declared(decl ast.Decl) []symbol {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		return function(decl)
	case *ast.GenDecl:
		var found []symbol
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				found = append(found, values(decl, spec)...)
			case *ast.TypeSpec:
				found = append(found, types(decl, spec)...)
			}
		}
		return found
	}
	return nil
}

func function(decl *ast.FuncDecl) []symbol {
	if !decl.Name.IsExported() || decl.Recv != nil && !ast.IsExported(receiver(decl)) {
		return nil
	}
	return []symbol{{name: decl.Name.Name, node: decl, member: decl.Recv != nil, documented: decl.Doc != nil}}
}

// receiver returns the name of the type that a method belongs to.
func receiver(decl *ast.FuncDecl) string {
	switch expr := decl.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		return baseName(expr.X)
	default:
		return baseName(expr)
	}
}

// baseName returns the name of a type without its type parameters.
func baseName(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.IndexExpr:
		return baseName(expr.X)
	case *ast.IndexListExpr:
		return baseName(expr.X)
	case *ast.Ident:
		return expr.Name
	}
	return ""
}

func values(decl *ast.GenDecl, spec *ast.ValueSpec) []symbol {
	var found []symbol
	for _, name := range spec.Names {
		if name.IsExported() {
			documented := decl.Doc != nil || spec.Doc != nil || spec.Comment != nil
			found = append(found, symbol{name: name.Name, node: name, documented: documented})
		}
	}
	return found
}

func types(decl *ast.GenDecl, spec *ast.TypeSpec) []symbol {
	documented := spec.Doc != nil || spec.Comment != nil || !decl.Lparen.IsValid() && decl.Doc != nil
	found := []symbol{{name: spec.Name.Name, node: spec, isType: true, documented: documented}}
	if !spec.Name.IsExported() {
		return found
	}
	for _, field := range fieldsIn(spec.Type) {
		for _, name := range field.Names {
			if name.IsExported() {
				documented := field.Doc != nil || field.Comment != nil || field.Tag != nil || isOnlyMethod(spec.Type)
				found = append(found, symbol{name: spec.Name.Name + "." + name.Name, node: name, member: true, documented: documented})
			}
		}
	}
	return found
}

// isOnlyMethod reports whether a type is an interface of one method, which the
// interface's comment documents.
func isOnlyMethod(expr ast.Expr) bool {
	methods, ok := expr.(*ast.InterfaceType)
	return ok && len(methods.Methods.List) == 1
}

// fieldsIn returns the fields of a struct or the methods of an interface.
func fieldsIn(expr ast.Expr) []*ast.Field {
	switch expr := expr.(type) {
	case *ast.StructType:
		return expr.Fields.List
	case *ast.InterfaceType:
		return expr.Methods.List
	}
	return nil
}
